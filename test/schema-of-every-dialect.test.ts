import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import { runCli } from './support/run-cli.js';
import { root } from './support/sources.js';

const withSchema = defaultDialects().filter(({ settingsJsonSchema }) => settingsJsonSchema !== undefined);
const folder = join(root, 'packages/dialects/schema');

test.each(withSchema)('the schema of $name is the one that is committed, and is printed', ({ name }) => {
  const { status, stdout } = runCli(['schema', '--dialect', name], { cwd: root });
  expect(status).toBe(0);
  expect(stdout).toBe(readFileSync(join(folder, `${name}-settings.schema.json`), 'utf8'));
});

test('the documentation names every dialect that has one, and no schema is left of one that is gone', () => {
  const names = withSchema.map(({ name }) => name);
  const page = readFileSync(join(root, 'docs/command-line.md'), 'utf8');
  for (const name of names) expect(page).toContain(`\`${name}\``);
  expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}-settings.schema.json`).sort());
});
