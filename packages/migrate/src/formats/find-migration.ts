import { eca } from '@tenterhook/dialects';
import type { EcaDialect } from '@tenterhook/dialects/internal';
import type { Dialect } from '@tenterhook/protocol';
import { antigravityMigration } from './antigravity.js';
import { claudeCodeMigration } from './claude-code.js';
import { codexMigration } from './codex.js';
import { copilotMigration } from './copilot.js';
import { cursorMigration } from './cursor.js';
import { ecaMigration } from './eca.js';
import { geminiCliMigration } from './gemini-cli.js';
import type { HookMigration } from './hook-migration.js';
import { llxprtMigration } from './llxprt.js';
import { relativeMigrations } from './relatives.js';

const formats: Readonly<Record<string, (dialect: Dialect) => HookMigration>> = {
  llxprt: () => llxprtMigration,
  'claude-code': () => claudeCodeMigration,
  'gemini-cli': () => geminiCliMigration,
  codex: () => codexMigration,
  copilot: () => copilotMigration,
  cursor: () => cursorMigration,
  antigravity: () => antigravityMigration,
  eca: (dialect) => ecaMigration(isEca(dialect) ? dialect.server : eca().server),
};

/** Returns how hooks of a dialect are converted, or undefined if this dialect cannot be migrated. */
export function findMigration(dialect: Dialect): HookMigration | undefined {
  const { name } = dialect;
  if (Object.hasOwn(formats, name)) return formats[name]?.(dialect);
  return Object.hasOwn(relativeMigrations, name) ? relativeMigrations[name] : undefined;
}

function isEca(dialect: Dialect): dialect is EcaDialect {
  return 'server' in dialect && typeof dialect.server === 'string';
}
