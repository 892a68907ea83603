import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../src/providers.js';

test('the version of the instrumentation is that of the package', () => {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
  expect(packageVersion).toBe(manifest.version);
});
