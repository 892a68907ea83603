export { codeOf, describeOption, describeThrown, describeValue } from './describe.js';
export { escapeUnseen } from './escape-unseen.js';
export { nearestName, suggestName } from './nearest-name.js';
export { sentence } from './sentence.js';
