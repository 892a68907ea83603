export { freezeDeeply, isPlainObject, isSameJson, omitUndefined, pathText, valueAt } from './plain-json.js';
