export { freezeDeeply } from './freeze.js';
export { omitUndefined } from './omit-undefined.js';
export { isPlainObject } from './plain-object.js';
export { isSameJson } from './same-json.js';
export { pathText, valueAt } from './path.js';
