import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Diagnostic } from '@tenterhook/protocol';
import { codeOf, describeThrown, inShell, quote } from '@tenterhook/runtime/text';
import { judgePrivateFolder } from './private-files.js';
import { findRepositoryAround } from './project-path.js';

/** Returns a diagnostic about the store, or about one of its files that is ignored. */
export function storeProblem(message: string, remedy: string, file?: string): Diagnostic {
  return { code: 'trust_store', severity: 'error', message, remedy, ...(file === undefined ? {} : { file }) };
}

/** Returns a diagnostic about one file, which is ignored. `what` is the rest of a sentence that begins with the path of the file. */
export function fileProblem(file: string, what: string): Diagnostic {
  return storeProblem(`The record ${what}. It is ignored.`, `Run rm ${inShell(file)}, and decide again.`, file);
}

const elsewhere = 'set XDG_STATE_HOME to a directory of your own, outside of the project';

/**
 * Returns why a store cannot be used, or undefined. A store that does not exist yet can be used. A store inside of the project cannot be
 * used, because files of the project would then decide which of its hooks run. A store may be inside of the project because the repository
 * contains its directory, or because the workspace of a container is the home directory.
 */
export function judgeStore(directory: string, project: string): Diagnostic | undefined {
  const around = findRepositoryAround(directory, project);
  if (around !== undefined) {
    const message = `The store of trusted hooks, ${quote(directory)}, is inside of ${around === project ? 'the project' : 'the repository'} ${quote(around)}, whose files could decide what runs. The store is not used, so no hook is trusted.`;
    return storeProblem(message, `S${elsewhere.slice(1)}.`, directory);
  }
  return judgeFolder(directory, statSync) ?? (existsSync(directory) ? undefined : judgeParent(dirname(directory)));
}

/** Returns why the folder of a project in the store cannot be used. The store itself may be a link, but this folder must not. */
export function judgeProjectFolder(folder: string): Diagnostic | undefined {
  return judgeFolder(folder, lstatSync);
}

function judgeFolder(folder: string, look: typeof statSync): Diagnostic | undefined {
  try {
    const stats = look(folder, { throwIfNoEntry: false });
    const problem = stats && judgePrivateFolder(stats);
    if (problem === undefined) return undefined;
    const message = `The directory with trusted hooks ${problem}. The directory is not used, so no hook in it is trusted.`;
    return storeProblem(message, `If everything in it is yours, run chmod 700 ${inShell(folder)}. If not, ${elsewhere}.`, folder);
  } catch (error) {
    const message = `The directory with trusted hooks cannot be read: ${describeThrown(error)}. No hook in it is trusted.`;
    return storeProblem(message, `Make it readable for you, or ${elsewhere}.`, folder);
  }
}

/**
 * Returns a problem if the store would be created in a directory of another user. Under sudo, HOME may be the home directory of the user.
 * Root would create a store there that the user cannot read.
 */
function judgeParent(folder: string): Diagnostic | undefined {
  const own = process.geteuid?.();
  try {
    const { uid } = statSync(folder);
    if (own === undefined || uid === own || uid === 0) return undefined;
    const message = `The store of trusted hooks would be in ${quote(folder)}, which belongs to the user with the uid ${uid}. The store is not used, so no hook is trusted.`;
    return storeProblem(message, `Run the command as that user, or ${elsewhere}.`, folder);
  } catch (error) {
    const parent = dirname(folder);
    return codeOf(error) === 'ENOENT' && parent !== folder ? judgeParent(parent) : undefined;
  }
}
