import { compileGlob } from '../../shared/name-glob.ts';

/** Which tensors are meant, by globs over their names. */
export interface NameSelection {
  /** Any of these; all names when there is none. */
  readonly include?: readonly string[] | undefined;
  /** None of these. */
  readonly exclude?: readonly string[] | undefined;
}

/** A test for the names that a selection means. */
export const selectedNames = ({ include = [], exclude = [] }: NameSelection): ((name: string) => boolean) => {
  const wanted = include.map((glob) => compileGlob(glob));
  const unwanted = exclude.map((glob) => compileGlob(glob));
  return (name) =>
    (wanted.length === 0 || wanted.some((matches) => matches(name))) && !unwanted.some((matches) => matches(name));
};
