import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { noOtherHome } from '../../../test/support/environment.js';

const folder = join(import.meta.dirname, '..');

/** The table that every example prints. */
export const expectedTable = readFileSync(join(folder, 'expected-table.txt'), 'utf8').trimEnd();

/** Runs a built example, and returns the table at the end of what it prints. */
export async function tableOf(program: string): Promise<string> {
  const env = { ...process.env, ...noOtherHome };
  const { stdout, stderr } = await promisify(execFile)('node', [join(folder, 'dist', program)], { env });
  expect(stderr).toBe('');
  return stdout.slice(stdout.indexOf('call  ')).trimEnd();
}
