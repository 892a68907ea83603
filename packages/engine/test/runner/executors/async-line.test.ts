import { existsSync, readFileSync } from 'node:fs';
import { readAsyncLine } from '../../../src/runner/executors/command-executor.js';
import { endScenes, sceneOf } from './async-hook.js';

test.each<[string, object | undefined]>([
  ['{"async":true}', {}],
  ['  { "async": true, "other": [1] }\r', {}],
  ['{"async":true,"asyncTimeout":1500.5}', { timeoutMs: 1500.5 }],
  ['{"async":true,"asyncTimeout":null}', {}],
  ['{"async":true,"asyncTimeout":2147483647}', { timeoutMs: 2_147_483_647 }],
  ['{"async":"true"}', undefined],
  ['{"async":false}', undefined],
  ['[{"async":true}]', undefined],
  ['{"async":true', undefined],
  ['{"async":true} and more', undefined],
  ['log: {"async":true}', undefined],
  ['{broken}', undefined],
  ['', undefined],
  [`{"async":true,"text":"${'x'.repeat(65_536)}"}`, undefined],
])('%j asks for %j', (line, detachment) => {
  expect(readAsyncLine(line)).toEqual(detachment);
});

test.each(['"5s"', '0', '2147483648', '-1', '[]'])('an asyncTimeout of %s is invalid, and a warning reports it', (value) => {
  expect(readAsyncLine(`{"async":true,"asyncTimeout":${value}}`)).toEqual({
    warnings: [
      { code: 'wrong_type', message: expect.stringContaining(`asyncTimeout is ${value}. It must be a number of milliseconds from 1`) },
    ],
  });
});

describe('with real processes', () => {
  afterEach(endScenes);
  const isRunning = (pid: number) => existsSync(`/proc/${pid}/environ`) && readFileSync(`/proc/${pid}/environ`).length > 0;
  const untilGo = 'while [ ! -e go ]; do sleep 0.01; done';

  test('an event does not wait for a hook after its first line, and a later deny is reported as late', async () => {
    const { fire, write, late } = sceneOf(`echo '{"async":true}'; ${untilGo}; echo no >&2; exit 2`);
    expect(await fire()).toMatchObject({ status: 'detached', warnings: [] });
    write('go');
    expect(await late).toMatchObject({ status: 'blocked', exitCode: 2, warnings: [{ code: 'late_answer' }] });
  });

  test('nor for one that leaves out the line break, nor does one decide that ends at once', async () => {
    for (const text of [
      `printf '{"async":true}'; ${untilGo}; exit 2`,
      `printf '{"async":true}'; exit 2`,
      `echo '{"async":true}'; exit 2`,
    ]) {
      const { fire, write, late } = sceneOf(text);
      expect(await fire()).toMatchObject({ status: 'detached' });
      write('go');
      expect(await late).toMatchObject({ status: 'blocked' });
    }
  });

  test('it outlives the cancelling of its event, and ends with the system', async () => {
    const { system, fire, pid, late } = sceneOf(`echo '{"async":true}'; echo $$ > pid; exec sleep 600`);
    const control = new AbortController();
    await fire(control.signal);
    control.abort();
    const process = await pid('pid');
    expect(isRunning(process)).toBe(true);
    await system.dispose();
    expect(await late).toMatchObject({ status: 'cancelled' });
    expect(isRunning(process)).toBe(false);
  });

  test('a hook of a dialect that does not know such a line is waited for', async () => {
    const { fire } = sceneOf(`echo '{"async":true}'; echo no >&2; exit 2`, { detaches: false });
    expect(await fire()).toMatchObject({ status: 'blocked' });
  });

  test('so is one whose settings do not allow it, with a warning', async () => {
    const { fire } = sceneOf(`echo '{"async":true}'; echo no >&2; exit 2`, { mayDetach: false });
    const message = expect.stringContaining('The event waited for the hook, because its settings do not allow that. Remove that line.');
    expect(await fire()).toMatchObject({ status: 'blocked', warnings: [{ code: 'async_ignored', message }] });
  });
});
