import { paragraph } from '../../output/reports/report-style.js';
import { dialectContext } from '../../settings/discover/dialect-context.js';
import { openProjectStore } from '../../trust/project-store.js';
import { type CommandContext, maxMessage, resolvePath, styleOf } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import type { TrustForm } from './forms.js';

/**
 * Stores the permission to read settings files of this project that belong to another user. The hooks in these files must still be
 * accepted. Returns the exit status.
 */
export function allowOwner({ allowOwner: given = '', cwd = '.' }: TrustForm, context: CommandContext): number {
  const uid = readOwner(given);
  const store = openProjectStore(dialectContext(resolvePath(context, cwd), context.env));
  store.allowOwner(uid);
  const text = `Files of the user ${uid} are accepted in ${store.project} from now on. To decide which of their hooks run: tenterhook trust. To undo this: tenterhook trust --revoke --allow-owner ${uid}.`;
  context.stdout.write(`${paragraph(text, { indent: 0, max: maxMessage }, styleOf(context)).join('\n')}\n`);
  return ExitStatus.ok;
}

/** Reads a user id of the command line. Throws a UsageError for any other text. */
export function readOwner(given: string): number {
  const uid = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (!(uid <= 0xffffffff))
    throw new UsageError(
      `--allow-owner must be the number of a user, such as 1001, and is ${JSON.stringify(given)}. ls -n shows the numbers of owners.`,
    );
  if (process.platform === 'win32') throw new UsageError('--allow-owner is not supported on Windows, where files have no uid.');
  return uid;
}
