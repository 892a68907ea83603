export {
  codeOf,
  describeNoBoolean,
  describeOption,
  describeThrown,
  describeValue,
  inShell,
  quote,
  sentence,
  shownUrl,
  textOfField,
} from './describe.js';
export { abortReason, describeAbort } from './describe-abort.js';
export { escapeMarkup, escapeUnseen } from './escape-unseen.js';
export { nearestName, suggestName } from './nearest-name.js';
export { requireOptions } from './require-options.js';
export { compileUrlPattern, type UrlPattern } from './url-pattern.js';
