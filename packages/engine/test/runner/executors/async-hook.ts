import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HookExecutionProgress, HookOutcome } from '@tenterhook/protocol';
import { HookSystem } from '../../../src/hook-system.js';
import { fakeDialect, hookOf, sourceOf } from '../../engine-rig.js';

const scenes: Scene[] = [];

export interface Scene {
  readonly system: HookSystem;
  readonly place: string;
  /** Resolves with the outcome of the late end. */
  readonly late: Promise<HookOutcome>;
  fire(signal?: AbortSignal): Promise<HookOutcome | undefined>;
  write(name: string): void;
  pid(name: string): Promise<number>;
}

/** A system with one hook, which runs this in a directory of its own. */
export function sceneOf(text: string, { timeoutMs = 600_000, detaches = true, mayDetach = true } = {}): Scene {
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
    sources: [sourceOf([hookOf('a', { timeoutMs, ...(mayDetach ? { mayDetach } : {}) })])],
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

export async function endScenes(): Promise<void> {
  for (const { system, place } of scenes.splice(0)) {
    await system.dispose();
    rmSync(place, { recursive: true, force: true });
  }
}
