export { copyPlainJson, type PlainCopy } from './plain-copy.js';
export { freezeDeeply, isPlainObject, isSameJson, omitUndefined, pathText, valueAt } from './plain-json.js';
