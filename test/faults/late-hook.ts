import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookOutcome } from '@tenterhook/protocol';
import { outcomeAt, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';
import { holdLifeline, type Lifeline, openLifeline } from './lifeline.js';

/** Long enough for a shell to start and do its work on a busy machine. */
export const timeoutMs = 2000;

/** Longer than any test: a process that ended before was ended by SIGTERM, not by SIGKILL. */
export const endlessMs = 600_000;

interface Late extends Scene {
  readonly outcome: HookOutcome;
  readonly lifeline: Lifeline;
}

interface LateOptions {
  /** The time between SIGTERM and SIGKILL, in milliseconds. @default 500 */
  readonly killGraceMs?: number;
  /** The timeout of the hook, in milliseconds. @default 2000 */
  readonly timeoutMs?: number;
  /** Files by name, which are written before the hook starts. */
  readonly files?: Readonly<Record<string, string>>;
  /** Called while the hook runs. */
  readonly meanwhile?: (scene: Scene) => Promise<void>;
  /** Called as soon as the event was answered. */
  readonly afterwards?: (scene: Late) => void;
  /** Called when none of the hook's processes is left. */
  readonly atLast?: (scene: Scene) => void;
}

/**
 * Runs a hook that does not end in time, and waits until the last of its processes has ended. `dispose()` is not called before, so it does
 * not end them.
 */
export async function pastDeadline(command: string, options: LateOptions = {}): Promise<void> {
  const hook = { name: 'late', command: `${holdLifeline}${command}`, timeout: options.timeoutMs ?? timeoutMs };
  const limits = { killGraceMs: options.killGraceMs ?? 500 };
  await withHooks({ settings: settingsOf('BeforeTool', [hook]), limits }, async (scene) => {
    for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(scene.projectDir, name), text);
    const lifeline = openLifeline(scene.projectDir);
    const fired = scene.handler.fireBeforeToolEvent('write_file', {});
    await options.meanwhile?.(scene);
    const result = await fired;
    const outcome = outcomeAt(result, 0);
    options.afterwards?.({ ...scene, outcome, lifeline });
    expect(result).toMatchObject({ success: false, verdict: { kind: 'none', stop: false, by: [] }, errors: [{ code: 'timeout' }] });
    expect(outcome).toMatchObject({
      status: 'timed-out',
      warnings: [{ code: 'timeout', message: expect.stringContaining(`${hook.timeout} ms`) }],
    });
    await lifeline.released;
    options.atLast?.(scene);
  });
}
