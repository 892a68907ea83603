export { codeOf, describeOption, describeThrown, describeValue, quote, sentence } from './describe.js';
export { escapeUnseen } from './escape-unseen.js';
export { nearestName, suggestName } from './nearest-name.js';
