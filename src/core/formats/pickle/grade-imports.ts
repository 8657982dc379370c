import {
  ALLOWED_IMPORTS,
  DANGEROUS_COMPONENTS,
  DANGEROUS_NAMES,
  HARMLESS_BUILTINS,
  MERELY_UNKNOWN,
} from './import-lists.ts';
import { python3Name } from './python2-names.ts';

/** `allowed`: ordinary checkpoints make it and it only builds data. `dangerous`: known to do harm. Everything else: unknown. */
export type ImportGrade = 'allowed' | 'unknown' | 'dangerous';

export interface GradedImport {
  readonly grade: ImportGrade;
  /** A clause that goes on from the import's name: "runs commands". Empty when allowed. */
  readonly why: string;
}

const ALLOWED: GradedImport = { grade: 'allowed', why: '' };
const UNKNOWN: GradedImport = { grade: 'unknown', why: 'is not among the imports that only build data' };

const dangerous = (why: string): GradedImport => ({ grade: 'dangerous', why });

const isDunder = (component: string): boolean => component.length > 4 && /^__.*__$/s.test(component);

/** Components of a name that are looked at; a longer one is dangerous by its dots anyway. */
const MOST_COMPONENTS = 64;

const listed = (components: readonly string[]): string | undefined => {
  let path = '';
  for (const component of components) {
    path = path === '' ? component : `${path}.${component}`;
    const why = DANGEROUS_NAMES.get(path);
    if (why !== undefined) {
      return why;
    }
  }
  return undefined;
};

const gradeBuiltin = (name: string): GradedImport =>
  HARMLESS_BUILTINS.has(name) || /^[A-Z][A-Za-z]*$/.test(name)
    ? UNKNOWN
    : dangerous('is a function of Python itself that does more than make data');

/** Grades one spelling of a name. */
const gradeSpelling = (module: string, name: string): GradedImport => {
  const whole = `${module}.${name}`;
  if (ALLOWED_IMPORTS.has(whole)) {
    return ALLOWED;
  }
  if (MERELY_UNKNOWN.has(whole)) {
    return UNKNOWN;
  }
  const modules = module.split('.', MOST_COMPONENTS);
  const names = name.split('.', MOST_COMPONENTS);
  const components = [...modules, ...names];
  const why = listed(components);
  if (why !== undefined) {
    return dangerous(why);
  }
  if (module === 'builtins' && names.length === 1) {
    return gradeBuiltin(name);
  }
  const component = components.slice(1).find((one) => DANGEROUS_COMPONENTS.has(one));
  if (component !== undefined) {
    return dangerous(`reaches "${component}" through another module`);
  }
  if (names.some(isDunder)) {
    return dangerous('reaches into the inside of an object');
  }
  return names.length > 1 ? dangerous('reaches through an object by a dotted name') : UNKNOWN;
};

/**
 * Grades an import by its exact names, as it is spelled and as a loader of Python 3 reads a Python-2 name: dangerous when
 * either is, else allowed when either is.
 */
export const gradeImport = (module: string, name: string): GradedImport => {
  const spelled = gradeSpelling(module, name);
  const mapped = python3Name(module, name);
  if (spelled.grade === 'dangerous' || (mapped.module === module && mapped.name === name)) {
    return spelled;
  }
  const read = gradeSpelling(mapped.module, mapped.name);
  return spelled.grade === 'allowed' && read.grade === 'unknown' ? spelled : read;
};
