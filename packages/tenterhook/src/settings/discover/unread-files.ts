import type { Diagnostic, Dialect, DialectContext } from '@tenterhook/protocol';
import { lookalikesOf } from './locations.js';

/** Says of each file that looks like settings and is none where the settings are read: whoever wrote it waits for its hooks (field failure 21). */
export function unreadFiles(dialect: Dialect, context: DialectContext): Diagnostic[] {
  return lookalikesOf(dialect, context).map(({ file, source, insteadOf, remedy }) => ({
    code: 'unread_file',
    severity: 'note',
    message: `This file exists and is not read; the settings of this level are read from ${insteadOf}.`,
    remedy: remedy ?? 'Move the hooks there.',
    file,
    dialect: dialect.name,
    source,
  }));
}
