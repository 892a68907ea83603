export { baseName, innerLines, withoutPrefix } from './inner-lines.js';
export { evaluators, keywords, shells, wrappers } from './names.js';
export { commandsIn, type HereDocument, type ReadOptions, type Redirection, type ShellCommands } from './shell-commands.js';
export type { ShellWord, SimpleCommand } from './shell-word.js';
