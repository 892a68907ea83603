export { codeOf, describeThrown, describeValue } from './describe.js';
export { escapeUnseen } from './escape-unseen.js';
export { nearestName } from './nearest-name.js';
