export { copyPlainJson, kindOf, maxShownDepth, type PlainCopy, shortPathText, tagOf } from './plain-copy.js';
export { freezeDeeply, hasFields, isPlainObject, isSameJson, omitUndefined, pathText, valueAt } from './plain-json.js';
