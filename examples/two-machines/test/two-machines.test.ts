import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { testWithNats } from '../../../test/support/nats-server.js';

// The program starts two workers and some fifty hooks, which takes long on a busy machine.
jest.setTimeout(120_000);

const example = join(import.meta.dirname, '..');

testWithNats('the program prints what its page promises, and leaves no process', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(example, 'dist/main.js')]);
  const page = readFileSync(join(example, 'README.md'), 'utf8');
  expect({ stdout, stderr }).toEqual({ stdout: /```text\n(.*?)```/s.exec(page)?.[1], stderr: '' });
});
