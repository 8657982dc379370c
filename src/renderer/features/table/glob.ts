import { compileGlob as compileWholeGlob } from '../../../shared/name-glob.ts';

export { isGlob } from '../../../shared/name-glob.ts';

/**
 * A test for names by glob, as the filter boxes mean it: the pattern must cover whole parts of the dotted name, so that
 * `layers.*.q_proj` finds `model.layers.3.q_proj.weight`. Otherwise as the command line's (see `shared/name-glob.ts`).
 */
export const compileGlob = (pattern: string): ((name: string) => boolean) => {
  const matches = compileWholeGlob(`*.${pattern}.*`);
  return (name) => matches(`.${name}.`);
};
