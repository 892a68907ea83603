/** Names for the command and for the measurements of this repository. Users must not rely on them, because they change without notice. */

export { Report } from './command/report.js';
export { runCommand } from './command/run-command.js';
export { StdioLink } from './command/stdio-link.js';
export { HookedLink } from './link/hooked-link.js';

export type { LinkEnds, LinkOptions } from './link/link-parts.js';
