import { createHmac, randomBytes } from 'node:crypto';
import { fieldsOf, listOf } from '../store/fields.js';

/** Without a key, a secret in a command could be guessed from its mark. */
const key = randomBytes(32);

/**
 * Returns a mark of what the hooks of a preview would start. The page sends it back with a run, so that nothing is started that its dialog has
 * not named: settings may change while a person reads. Comparing the texts of the dialog was rejected, because they are masked. What hooks
 * read is left out, because it contains the time.
 */
export function markOfCommands(preview: unknown): string {
  const started = listOf(fieldsOf(preview)['hooks']).map(({ stdin: _stdin, stdinBytes: _bytes, ...hook }) => hook);
  return createHmac('sha256', key).update(JSON.stringify(started)).digest('base64url');
}
