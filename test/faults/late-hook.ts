import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HookOutcome } from '@tenterhook/protocol';
import { outcomeAt, type Scene, settingsOf, withHooks } from '../support/fire-hooks.js';
import { holdLifeline, type Lifeline, openLifeline } from './lifeline.js';

/** Enough for a shell to start and to do what it is there for, also on a machine that has a lot to do. */
export const timeoutMs = 2000;

/** So long that no test would live to see a SIGKILL: what ends before was ended by SIGTERM. */
export const endlessMs = 600_000;

interface Late extends Scene {
  readonly outcome: HookOutcome;
  readonly lifeline: Lifeline;
}

interface LateOptions {
  /** @default 500 */
  readonly killGraceMs?: number;
  /** @default 2000 */
  readonly timeoutMs?: number;
  /** By name, written before the hook starts. */
  readonly files?: Readonly<Record<string, string>>;
  /** While the hook runs. */
  readonly meanwhile?: (scene: Scene) => Promise<void>;
  /** At once when the event was answered. */
  readonly afterwards?: (scene: Late) => void;
  /** When none of its processes is left. */
  readonly atLast?: (scene: Scene) => void;
}

/** A hook that does not end in time, to the end of the last of its processes; it is not `dispose()` that ends them. */
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
