/** Names for the threads of an inspector. They change without notice. */

export { runDetailsThread } from './details/details-thread.js';
