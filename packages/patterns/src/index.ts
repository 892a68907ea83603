export { foldCase, ignoresCase } from './path-case.js';
export { compilePathGlob } from './path-glob.js';
export { pathVariants } from './path-variants.js';
export { compileRegex } from './regex.js';
export { compileWildcard } from './wildcard.js';

export type { PathOptions } from './path-case.js';
export type { Compiled, PatternError } from './pattern-error.js';
export type { RegexOptions } from './regex.js';
