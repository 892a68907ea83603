export { baseName, innerLines, withoutPrefix } from './inner-lines.js';
export { evaluators, keywords, shells, wrappers } from './names.js';
export { commandsIn, type ReadOptions } from './shell-commands.js';
export type { HereDocument, Redirection, ShellCommands, ShellWord, SimpleCommand } from './shell-word.js';
