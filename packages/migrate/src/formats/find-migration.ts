import { eca } from '@tenterhook/dialects';
import type { EcaDialect } from '@tenterhook/dialects/internal';
import type { Dialect } from '@tenterhook/protocol';
import { claudeCodeMigration } from './claude-code.js';
import { ecaMigration } from './eca.js';
import { geminiCliMigration } from './gemini-cli.js';
import type { HookMigration } from './hook-migration.js';
import { llxprtMigration } from './llxprt.js';

/** The formats that hooks can be migrated from and to, by the name of the dialect. */
const formats: Readonly<Record<string, (dialect: Dialect) => HookMigration>> = {
  llxprt: () => llxprtMigration,
  'claude-code': () => claudeCodeMigration,
  'gemini-cli': () => geminiCliMigration,
  eca: (dialect) => ecaMigration(isEca(dialect) ? dialect.server : eca().server),
};

/** Returns how hooks of a dialect are converted. Undefined for a dialect that this file does not list. */
export function findMigration(dialect: Dialect): HookMigration | undefined {
  return Object.hasOwn(formats, dialect.name) ? formats[dialect.name]?.(dialect) : undefined;
}

function isEca(dialect: Dialect): dialect is EcaDialect {
  return 'server' in dialect && typeof dialect.server === 'string';
}
