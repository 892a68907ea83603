import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HookExecutionProgress, HookOutcome } from '@tenterhook/protocol';
import { HookSystem } from '../../../src/hook-system.js';
import { readAsyncLine } from '../../../src/runner/executors/command-executor.js';
import { fakeDialect, hookOf, sourceOf } from '../../engine-rig.js';

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
])('%j asks for %j', (line, detachment) => {
  expect(readAsyncLine(line)).toEqual(detachment);
});

test.each(['"5s"', '0', '2147483648', '-1', '[]'])('an asyncTimeout of %s is none, and that is said', (value) => {
  expect(readAsyncLine(`{"async":true,"asyncTimeout":${value}}`)).toEqual({
    warnings: [{ code: 'wrong_type', message: expect.stringContaining(`asyncTimeout is ${value}, and no number of milliseconds from 1`) }],
  });
});

describe('with real processes', () => {
  const scenes: Scene[] = [];
  afterEach(async () => {
    for (const { system, place } of scenes.splice(0)) {
      await system.dispose();
      rmSync(place, { recursive: true, force: true });
    }
  });

  interface Scene {
    readonly system: HookSystem;
    readonly place: string;
    /** Resolves with the outcome of the late end. */
    readonly late: Promise<HookOutcome>;
    fire(signal?: AbortSignal): Promise<HookOutcome | undefined>;
    write(name: string): void;
    pid(name: string): Promise<number>;
  }

  /** A system with one hook, which runs this in a directory of its own. */
  function sceneOf(text: string, { timeoutMs = 600_000, detaches = true } = {}): Scene {
    const place = mkdtempSync(join(tmpdir(), 'async-line-'));
    const env = { PATH: process.env['PATH'] ?? '' };
    const dialect = fakeDialect({
      invocation: () => ({
        kind: 'command',
        command: { kind: 'shell', text },
        cwd: place,
        env,
        stdin: '',
        ...(detaches ? { detachesOnAsyncLine: true } : {}),
      }),
      decode: (exit) =>
        exit.kind === 'exited' && exit.exitCode === 2
          ? { output: { decision: 'deny', reason: exit.stderr.trim() }, warnings: [] }
          : { warnings: [] },
    });
    const system = new HookSystem({
      projectDir: place,
      dialects: [dialect],
      sources: [sourceOf([hookOf('a', { timeoutMs })])],
      limits: { killGraceMs: 50 },
    });
    const late = new Promise<HookOutcome>((resolve) => {
      const take = (payload: HookExecutionProgress) => payload.kind === 'hook-finished' && payload.late && resolve(payload.outcome);
      system.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => void take(payload));
    });
    const pid = async (name: string): Promise<number> => {
      const file = join(place, name);
      while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await pause(5);
      return Number(readFileSync(file, 'utf8'));
    };
    const fire = async (signal?: AbortSignal) => {
      const options = signal === undefined ? {} : { signal };
      return (await system.getEventHandler().fire('BeforeTool', { tool_name: 'write_file', tool_input: {} }, options)).outcomes[0];
    };
    const scene = { system, place, late, fire, write: (name: string) => writeFileSync(join(place, name), ''), pid };
    scenes.push(scene);
    return scene;
  }
  const isRunning = (pid: number) => existsSync(`/proc/${pid}/environ`) && readFileSync(`/proc/${pid}/environ`).length > 0;
  const untilGo = 'while [ ! -e go ]; do sleep 0.01; done';

  test('nobody waits for a hook behind its first line, and a deny that comes later is told as late', async () => {
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

  test('an asyncTimeout is its time from then on, also a longer one than the settings give', async () => {
    const short = sceneOf(`echo '{"async":true,"asyncTimeout":50}'; exec sleep 600`);
    expect(await short.fire()).toMatchObject({ status: 'detached' });
    expect(await short.late).toMatchObject({
      status: 'timed-out',
      warnings: [{ code: 'timeout', message: expect.stringContaining('did not end within 50 ms') }],
    });
    const long = sceneOf(`echo '{"async":true,"asyncTimeout":600000}'; sleep 2`, { timeoutMs: 1500 });
    await long.fire();
    expect(await long.late).toMatchObject({ status: 'succeeded' });
  });

  test('without one the time of the settings stays', async () => {
    const { fire, late } = sceneOf(`echo '{"async":true}'; exec sleep 600`, { timeoutMs: 2000 });
    expect(await fire()).toMatchObject({ status: 'detached' });
    expect(await late).toMatchObject({ status: 'timed-out', warnings: [{ message: expect.stringContaining('within 2000 ms') }] });
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
});
