import type { HookOutcome } from '@tenterhook/protocol';
import { outcomeAt, processesWith, type Scene, warningCodes, withHooks } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';

interface Detached extends Scene {
  /** Resolves with the outcome of the hook when it ends. */
  late(): Promise<HookOutcome>;
  readonly mark: string;
}

/** Runs a hook of Claude Code that prints this line first and then runs this command. */
async function whenDetached(line: object, command: string, use: (scene: Detached) => Promise<void>, control = new AbortController()) {
  const mark = `detached-${process.pid}-${Math.random()}`;
  const hook = {
    type: 'command',
    allowAsync: true,
    command: `export MARK=${mark}; echo '${JSON.stringify({ async: true, ...line })}'; ${command}`,
  };
  await withHooks({ settings: { hooks: { PreToolUse: [{ hooks: [hook] }] } }, dialect: 'claude-code' }, async (scene) => {
    const late = async () => {
      const find = () => scene.progress.find((message) => message.kind === 'hook-finished' && message.late === true);
      await until('it has ended', () => find() !== undefined);
      return (find() as unknown as { outcome: HookOutcome }).outcome;
    };
    const result = await scene.handler.fireBeforeToolEvent('write_file', {}, undefined, { signal: control.signal });
    expect(result).toMatchObject({ success: true, verdict: { kind: 'none' }, errors: [] });
    expect(outcomeAt(result, 0)).toMatchObject({ status: 'detached', warnings: [] });
    await use({ ...scene, late, mark });
  });
}

fault('A1', async () => {
  await whenDetached({ asyncTimeout: 200 }, 'exec sleep 600', async ({ late, mark }) => {
    expect(await late()).toMatchObject({
      status: 'timed-out',
      warnings: [{ code: 'timeout', message: expect.stringContaining('did not end within 200 ms') }],
    });
    await until('its process is gone', () => processesWith(mark).length === 0);
  });
});

fault('A2', async () => {
  const control = new AbortController();
  const hang = async ({ hooks, late, mark, read }: Detached) => {
    await until('it goes on', () => read('up') !== undefined);
    control.abort();
    // Not at once: while a shell becomes another program, its environment cannot be read for a moment.
    await until('its process is seen', () => processesWith(mark).length > 0);
    await hooks.dispose();
    expect(processesWith(mark)).toEqual([]);
    expect(await late()).toMatchObject({ status: 'cancelled' });
  };
  await whenDetached({}, 'touch up; exec sleep 600', hang, control);
});

fault('A3', async () => {
  await whenDetached({}, 'echo no >&2; exit 2', async ({ late }) => {
    const outcome = await late();
    expect(outcome).toMatchObject({ status: 'blocked', exitCode: 2 });
    expect(warningCodes(outcome)).toContain('late_answer');
  });
});
