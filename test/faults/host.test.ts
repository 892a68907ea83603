import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookExecutionResponse, HookExecutor } from '@tenterhook/protocol';
import { hookRig } from '@tenterhook/testing';
import { freshDirectory, outcomeAt, settingsOf, warningCodes, withHooks } from '../support/fire-hooks.js';
import { fault } from './fault.js';
import { denied, denying, ofHost } from './hook-of-the-host.js';
import { hookStory } from './hook-story.js';

/** An executor of the host for commands, instead of the one that starts processes. */
const executorThat = (run: HookExecutor['run']): HookExecutor => ({ kind: 'command', run });

fault('H1', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', [{ name: 'guard', command: denying }]) }, async ({ hooks, handler, progress }) => {
    const responses: HookExecutionResponse[] = [];
    for (const channel of ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_PROGRESS', 'HOOK_EXECUTION_RESPONSE'] as const) {
      hooks.bus.subscribe(channel, () => {
        throw new Error('a broken extension');
      });
      hooks.bus.subscribe(channel, () => Promise.reject(new Error('a broken extension')));
    }
    hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => responses.push(payload));
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result).toMatchObject({ verdict: denied, errors: [] });
    expect(responses).toHaveLength(1);
    expect(hookStory(progress)).toEqual(['guard started', 'guard blocked']);
  });
});

fault('H2', async () => {
  const stuck = executorThat((_invocation, _hook, _event, { onStart }) => {
    onStart();
    return new Promise(() => {});
  });
  await withHooks(
    { settings: settingsOf('BeforeTool', [{ command: 'x', timeout: 100 }]), advanced: { executors: [stuck] } },
    async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'timed-out', warnings: [{ code: 'timeout' }] });
    },
  );
});

fault('H3', async () => {
  let telling: NodeJS.Timeout | undefined;
  const noisy = executorThat((_invocation, _hook, _event, { onStart }) => {
    telling = setInterval(onStart, 1);
    return new Promise(() => {});
  });
  const settings = settingsOf('BeforeTool', [{ name: 'noisy', command: 'x', timeout: 200 }]);
  await withHooks({ settings, advanced: { executors: [noisy] } }, async ({ handler, progress }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    clearInterval(telling);
    expect(outcomeAt(result, 0).status).toBe('timed-out');
    expect(hookStory(progress)).toEqual(['noisy started', 'noisy timed-out']);
  });
});

fault('H4', async () => {
  const sizes = {
    stdoutBytes: 0,
    stderrBytes: 3,
    stdoutTruncated: false,
    stderrTruncated: false,
    invalidUtf8: false,
  };
  const flaky = executorThat(async (_invocation, { name }) => {
    if (name === 'broken') throw new Error('the executor has a bug');
    return { kind: 'exited', exitCode: 2, durationMs: 0, leftProcesses: 0, stdout: '', stderr: 'no\n', ...sizes };
  });
  const settings = settingsOf('BeforeTool', [
    { name: 'broken', command: 'x' },
    { name: 'guard', command: 'y' },
  ]);
  await withHooks({ settings, advanced: { executors: [flaky] } }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict).toMatchObject(denied);
    expect(outcomeAt(result, 0).status).toBe('failed');
    expect(warningCodes(outcomeAt(result, 0))).toEqual(['internal_error']);
    expect(outcomeAt(result, 1).status).toBe('blocked');
  });
});

fault('H5', async () => {
  const rig = await hookRig();
  const projectDir = freshDirectory();
  const file = join(projectDir, 'hooks.json');
  const write = (commands: readonly string[]) =>
    writeFileSync(file, JSON.stringify(settingsOf('BeforeTool', commands, { sequential: true })));
  write([rig.command(), denying]);
  try {
    await withHooks({ projectDir, settings: [file] }, async ({ hooks, handler }) => {
      const fired = handler.fireBeforeToolEvent('write_file', {});
      const run = await rig.nextRun();
      write(['true']);
      await hooks.reload();
      expect((await handler.fireBeforeToolEvent('write_file', {})).verdict.kind).toBe('none');
      await run.exit(0);
      const result = await fired;
      expect(result.outcomes.map(({ status }) => status)).toEqual(['succeeded', 'blocked']);
      expect(result.verdict).toMatchObject(denied);
    });
  } finally {
    await rig.close();
  }
});

fault('H6', async () => {
  await withHooks({ settings: settingsOf('BeforeTool', ['touch ran']) }, async ({ hooks, read }) => {
    const malformed: Record<string, object> = {
      invalid_request: { eventName: 5, input: {} },
      unsupported_event: { eventName: 'BeforeTol', input: {} },
      validation_failed: { eventName: 'BeforeTool', input: { tool_name: 7 } },
    };
    const answers: [string, string | undefined][] = [];
    hooks.bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => answers.push([payload.correlationId, payload.error?.code]));
    for (const [correlationId, payload] of Object.entries(malformed))
      hooks.bus.publish({ type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId, ...payload } as never });
    // This request is answered after all others.
    await hooks.bus.request('HOOK_EXECUTION_REQUEST', {
      eventName: 'Notification',
      input: { notification_type: 'x', message: '', details: {} },
    });
    const codes = Object.keys(malformed);
    expect(answers.slice(0, -1).sort()).toEqual(codes.map((code) => [code, code]).sort());
    expect(read('ran')).toBeUndefined();
  });
});

fault('H7', async () => {
  const idle = executorThat(() => new Promise(() => {}));
  await withHooks(
    { settings: settingsOf('BeforeTool', [{ command: 'x', timeout: 100 }]), advanced: { executors: [idle] } },
    async ({ handler }) => {
      const result = await handler.fireBeforeToolEvent('write_file', {});
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'cancelled', warnings: [{ code: 'not_started' }] });
    },
  );
});

fault('H8', async () => {
  const fetching = executorThat((_invocation, _hook, _event, { signal, onStart }) => {
    onStart();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('This operation was aborted'))));
  });
  await withHooks({ settings: settingsOf('BeforeTool', ['x']), advanced: { executors: [fetching] } }, async ({ hooks, progress }) => {
    const control = new AbortController();
    hooks.bus.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => {
      if (payload.kind === 'hook-started') control.abort();
    });
    const result = await hooks.getEventHandler().fireBeforeToolEvent('write_file', {}, undefined, { signal: control.signal });
    expect(result).toMatchObject({ success: false, errors: [{ code: 'cancelled' }, { code: 'cancelled' }] });
    expect(outcomeAt(result, 0).status).toBe('cancelled');
    expect(progress.some(({ kind }) => kind === 'hook-finished')).toBe(true);
  });
});

fault('H10', async () => {
  const prompt = () => {
    throw new Error('there is no model');
  };
  await withHooks({ ...ofHost('prompt'), callbacks: { prompt } }, async ({ handler }) => {
    const result = await handler.fireBeforeToolEvent('write_file', {});
    expect(result.verdict).toMatchObject(denied);
    expect(outcomeAt(result, 0)).toMatchObject({
      status: 'failed',
      warnings: [{ code: 'hook_failed', message: expect.stringContaining('there is no model') }],
    });
  });
});
