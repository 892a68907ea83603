import { relayed } from '../laws/laws.js';
import { keepsTheFile } from './edits.js';
import { keepsTheTomlFile } from './toml-edits.js';

test.each(relayed.map(({ dialect, relay }) => [dialect.name, dialect, relay] as const))(
  '%s: installing keeps what the user wrote, and uninstalling gives it back',
  (_name, dialect, relay) => keepsTheFile(dialect, relay, 40),
);

test('a TOML file of Codex: installing keeps what the user wrote, and uninstalling gives it back', () => keepsTheTomlFile(40));
