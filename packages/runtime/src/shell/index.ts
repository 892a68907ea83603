export { baseName, innerLines, withoutPrefix } from './inner-lines.js';
export { evaluators, keywords, shells, wrappers } from './names.js';
export {
  commandsIn,
  type HereDocument,
  type ReadOptions,
  type Redirection,
  type ShellCommands,
  type ShellWord,
  type SimpleCommand,
} from './shell-commands.js';
