import type { HookExecutionResponse } from '@tenterhook/protocol';
import { processesWith, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';

const eventName = 'BeforeTool';
const input = { tool_name: 'write_file', tool_input: {} };
const request = { eventName, input };

/** A hook with a tree of three processes, one of them in the background. One ignores SIGTERM. */
const tree = `trap '' TERM; sleep 300 & bash -c 'sleep 300; true' & echo up > tree; wait; wait`;

const stages = [
  { name: 'first', command: `echo '{"systemMessage":"done"}'` },
  { name: 'second', command: tree },
  { name: 'third', command: 'touch third-ran' },
];

interface Running extends Scene {
  /** The processes of the hooks of this scene, which are found by their environment. */
  processes(): number[];
  /** Resolves when all processes of the second hook have started. */
  readonly isUp: Promise<void>;
  readonly correlationId: Promise<string>;
}

/**
 * Runs hooks with a short killGraceMs, so that a process that ignores SIGTERM is killed at once. Each hook has a mark by which its whole
 * tree is found.
 */
function whileRunning(use: (scene: Running) => Promise<void>): Promise<void> {
  const mark = `cancellation-${process.pid}-${Math.random()}`;
  const hooks = stages.map((hook) => ({ ...hook, env: { MARK: mark } }));
  const settings = settingsOf(eventName, hooks, { sequential: true });
  return withHooks({ settings, limits: { killGraceMs: 50 } }, async (scene) => {
    const processes = () => processesWith(mark);
    let tellId: (correlationId: string) => void = () => {};
    const correlationId = new Promise<string>((resolve) => {
      tellId = resolve;
    });
    scene.hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => tellId(payload.correlationId));
    const isUp = (async () => {
      await until('the tree is up', () => scene.read('tree') !== undefined);
      await until('its processes run', () => processes().length >= 3);
    })();
    await use({ ...scene, processes, isUp, correlationId });
    await until('its processes are gone', () => processes().length === 0);
    expect(scene.read('third-ran')).toBeUndefined();
  });
}

const ended = [
  { name: 'first', status: 'succeeded' },
  { name: 'second', status: 'cancelled', warnings: [{ code: 'cancelled' }] },
];

/** Checks what is left of a request that was cancelled during its second stage. */
function expectCancelled(response: HookExecutionResponse): void {
  expect(response).toMatchObject({ success: false, error: { code: 'cancelled' } });
  expect(response.error?.details?.['outcomes']).toMatchObject([
    ...ended,
    { name: 'third', status: 'cancelled', warnings: [{ code: 'not_started' }] },
  ]);
}

test('the signal of a fire ends the process tree; later stages do not run, and the result says cancelled', async () => {
  await whileRunning(async ({ handler, isUp, progress }) => {
    const control = new AbortController();
    const fired = handler.fireBeforeToolEvent('write_file', {}, undefined, { signal: control.signal });
    await isUp;
    control.abort();
    const result = await fired;
    expect(result).toMatchObject({ success: false, verdict: { kind: 'none' } });
    expect(result.errors.map(({ code }) => code)).toEqual(['cancelled', 'cancelled', 'not_started']);
    expect(result.outcomes.slice(0, 2)).toMatchObject(ended);
    expect(started(progress)).toEqual(['first', 'second']);
  });
});

test('the signal of a request ends the process tree', async () => {
  await whileRunning(async ({ hooks, isUp }) => {
    const control = new AbortController();
    const response = hooks.bus.request('HOOK_EXECUTION_REQUEST', request, { signal: control.signal });
    await isUp;
    control.abort();
    expectCancelled(await response);
  });
});

test('a HOOK_EXECUTION_CANCEL of any sender ends the process tree, and its reason is reported', async () => {
  await whileRunning(async ({ hooks, isUp, correlationId }) => {
    const response = hooks.bus.request('HOOK_EXECUTION_REQUEST', request);
    await isUp;
    hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: await correlationId, reason: 'Esc' } });
    const answer = await response;
    expectCancelled(answer);
    expect(answer.error?.message).toContain('Esc');
  });
});

test('a cancel with another id ends nothing', async () => {
  await whileRunning(async ({ hooks, isUp, processes, correlationId }) => {
    const response = hooks.bus.request('HOOK_EXECUTION_REQUEST', request);
    await isUp;
    const before = processes();
    hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: 'another sender' } });
    expect(processes()).toEqual(expect.arrayContaining(before));
    hooks.bus.publish({ type: 'HOOK_EXECUTION_CANCEL', payload: { correlationId: await correlationId } });
    expectCancelled(await response);
  });
});

test('who unsubscribes from a stream ends the process tree; watchers see a response that says cancelled', async () => {
  await whileRunning(async ({ hooks, isUp }) => {
    const responses: HookExecutionResponse[] = [];
    hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => responses.push(payload));
    const subscription = hooks.bus.requestStream('HOOK_EXECUTION_REQUEST', request).subscribe(() => {});
    await isUp;
    subscription.unsubscribe();
    await until('there is a response', () => responses.length > 0);
    expect(responses).toHaveLength(1);
    expectCancelled(responses[0] as HookExecutionResponse);
  });
});

test('the time of a request ends the process tree as a cancel does, under its own code', async () => {
  await whileRunning(async ({ hooks }) => {
    const { error } = await hooks.bus.request('HOOK_EXECUTION_REQUEST', request, { timeoutMs: 500 });
    expect(error).toMatchObject({ code: 'timeout' });
    // No hook reached its own timeout: the caller had a shorter one.
    const notTimedOut = expect.not.objectContaining({ status: 'timed-out' });
    expect(error?.details?.['outcomes']).toEqual([notTimedOut, notTimedOut, notTimedOut]);
  });
});

test('hooks of one stage are cancelled together, and one that had answered keeps its deny', async () => {
  const hooks = [
    { name: 'guard', command: 'echo no >&2; exit 2' },
    { name: 'long', command: 'touch up; exec sleep 300' },
  ];
  await withHooks({ settings: settingsOf(eventName, hooks) }, async ({ hooks: system, handler, progress, read }) => {
    const control = new AbortController();
    const fired = handler.fire(eventName, input, { signal: control.signal });
    await until('the first hooks have ended', () => read('up') !== undefined && progress.some(({ kind }) => kind === 'hook-finished'));
    control.abort();
    expect(await fired).toMatchObject({
      verdict: { kind: 'deny', reason: 'no' },
      outcomes: [{ status: 'blocked' }, { status: 'cancelled' }],
    });
    expect(system.bus.listenerCount('HOOK_EXECUTION_REQUEST')).toBe(1);
  });
});

function started(progress: Scene['progress']): (string | undefined)[] {
  return progress.flatMap((message) => (message.kind === 'hook-started' ? [message.name] : []));
}
