import { relayed } from '../laws/laws.js';
import { keepsTheFile } from './edits.js';
import { keepsTheTomlFile } from './toml-edits.js';

test.each(relayed.map(({ dialect, relay }) => [dialect.name, dialect, relay] as const))(
  '%s: installing keeps what the user wrote in 200 settings files, and uninstalling gives it back',
  (_name, dialect, relay) => keepsTheFile(dialect, relay, 200),
  300_000,
);

test('500 TOML files of Codex: installing keeps what the user wrote, and uninstalling gives it back', () => keepsTheTomlFile(500), 300_000);
