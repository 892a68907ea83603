export { freezeDeeply } from './freeze.js';
export { omitUndefined } from './omit-undefined.js';
export { pathText } from './path-text.js';
export { isPlainObject } from './plain-object.js';
export { isSameJson } from './same-json.js';
export { valueAt } from './value-at.js';
