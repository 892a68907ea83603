export { codeOf, describeNoBoolean, describeOption, describeThrown, describeValue, quote, sentence } from './describe.js';
export { abortReason, describeAbort } from './describe-abort.js';
export { escapeUnseen } from './escape-unseen.js';
export { nearestName, suggestName } from './nearest-name.js';
export { shownUrl } from './shown-url.js';
