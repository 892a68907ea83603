import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { startPiped } from '../../src/run/start-piped.js';

const env = { PATH: process.env['PATH'] ?? '' };

async function start(script: string) {
  const started = await startPiped({ file: 'bash', args: ['-c', script], cwd: '/', env });
  if ('error' in started) throw started.error;
  return started;
}

test('what is written arrives, what is printed is read, and the end is reported', async () => {
  const program = await start('read line; echo "got $line"; exit 7');
  program.stdin.write('hello\n');
  expect(await text(program.stdout)).toBe('got hello\n');
  expect(await program.ended).toEqual({ exitCode: 7, signal: null });
  await program.kill(0);
});

test('kill ends the whole group, also a program that ignores SIGTERM, and a second call shortens the time', async () => {
  const program = await start(`trap '' TERM; sleep 600 & echo ready; wait; while :; do sleep 600; done`);
  await once(program.stdout, 'data');
  const killed = program.kill(600_000);
  await program.kill(0);
  await killed;
  expect(await program.ended).toEqual({ exitCode: null, signal: 'SIGKILL' });
  // The other process holds the output open while it runs.
  await text(program.stdout);
});

test('a program that does not exist is an error as a value', async () => {
  expect(await startPiped({ file: '/no/such/program', args: [], cwd: '/', env })).toMatchObject({ error: { code: 'ENOENT' } });
});
