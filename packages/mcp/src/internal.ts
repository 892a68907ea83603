/** Names for the command and for the tests of this repository. Users must not rely on them, because they change without notice. */

export { runCommand } from './command/run-command.js';
export { HookedLink } from './link/hooked-link.js';

export type { LinkEnds, LinkOptions } from './link/link-parts.js';
