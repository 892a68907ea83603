/** Names for the threads of an inspector. They change without notice. */

export { runTaskThread } from './threads/tasks.js';
