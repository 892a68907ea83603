/** Names for the other parts of this repository. They change without notice, so users must not import them. */

export { attributes, durationBuckets, instruments, names } from './attributes.js';
