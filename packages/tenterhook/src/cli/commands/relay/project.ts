import { existingFolder, findProjectDirectory } from '@tenterhook/relay';
import { type CommandContext, resolvePath } from '../../context.js';

/**
 * Returns the project of an action. A named directory is the project, also below another one: the variable of an agent may name it, too.
 * Without a name, the project is the one that an event in the current directory has, if the agent has no such variable.
 */
export function projectOf(named: string | undefined, context: CommandContext): string {
  return named === undefined ? findProjectDirectory(existingFolder(context.cwd), {}, []) : resolvePath(context, named);
}
