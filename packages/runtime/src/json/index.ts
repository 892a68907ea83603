export { freezeDeeply } from './freeze.js';
export { omitUndefined } from './omit-undefined.js';
export { pathText, valueAt } from './path.js';
export { isPlainObject } from './plain-object.js';
export { isSameJson } from './same-json.js';
