import { createCommandExecutor } from '../../../src/runner/executors/command-executor.js';
import { hookOf, toolEvent } from '../../engine-rig.js';

const invocation = {
  kind: 'command',
  command: { kind: 'shell', text: 'echo ran' },
  cwd: '/',
  env: { PATH: process.env['PATH'] ?? '' },
  stdin: '',
} as const;
const signal = new AbortController().signal;

function runOn(executor: ReturnType<typeof createCommandExecutor>, starts: string[] = []) {
  return executor.run(invocation, hookOf('a'), toolEvent, { signal, onStart: () => starts.push('started') });
}

test('the spawner is loaded for the first command, and serves the next ones', async () => {
  const executor = createCommandExecutor();
  for (const exit of [...(await Promise.all([runOn(executor), runOn(executor)])), await runOn(executor)]) {
    expect(exit).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'ran\n' });
  }
  await executor.dispose?.();
});

test('after the disposal nothing is started: before the first command, while the spawner is loaded, and later', async () => {
  const starts: string[] = [];
  const unused = createCommandExecutor();
  await unused.dispose?.();
  expect(await runOn(unused, starts)).toMatchObject({ kind: 'not-started' });

  const loading = createCommandExecutor();
  const first = runOn(loading, starts);
  await loading.dispose?.();
  expect(await first).toMatchObject({ kind: 'not-started' });
  expect(await runOn(loading, starts)).toMatchObject({ kind: 'not-started' });
  expect(starts).toEqual([]);
});

test('invalid limits are refused when it is made', () => {
  expect(() => createCommandExecutor({ concurrency: 0 })).toThrow(TypeError);
});

test('of a long input, an outcome has the masked beginning, and no first part of a secret', async () => {
  const executor = createCommandExecutor({}, { keepsInput: true });
  const key = `-----BEGIN PRIVATE KEY-----${'x'.repeat(2_400)}-----END PRIVATE KEY-----`;
  for (let before = 1_490; before < 1_540; before += 5) {
    const stdin = `${key}${' '.repeat(before)}postgres://admin:correct-horse@db${' '.repeat(2_000)}`;
    const exit = await executor.run({ ...invocation, stdin }, hookOf('a'), toolEvent, { signal, onStart: () => {} });
    const shown = (exit as { readonly stdin?: string }).stdin ?? '';
    expect([shown.slice(0, 31), shown.includes('correct'), shown.length <= 2_000]).toEqual([
      '-----BEGIN PRIVATE KEY----- ***',
      false,
      true,
    ]);
  }
  await executor.dispose?.();
});
