import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookExecutor } from '@tenterhook/protocol';
import { type CreateHooksOptions, createHooks, type Hooks } from 'tenterhook';
import type { Bench, Mark, Variant } from '../bench.js';

/** Where the scripts of hooks are, and how many files are in each folder. */
interface Layout {
  readonly name: string;
  readonly files: number;
  readonly shared: boolean;
}

const small: Layout = { name: '2 files, own folders', files: 2, shared: false };
const large: readonly Layout[] = [
  { name: '10 files, one folder', files: 10, shared: true },
  { name: '10 files, own folders', files: 10, shared: false },
];

/** Answers at once in place of a process, whose time would hide what is measured. It asks whether the hook may start, as ours does. */
const atOnce: HookExecutor = {
  kind: 'command',
  queues: true,
  run: async (_invocation, _hook, _event, { onStart, mayStart }) => {
    if (mayStart?.() === false) return { kind: 'not-started', message: 'refused', durationMs: 0 };
    onStart();
    return {
      kind: 'exited',
      exitCode: 0,
      durationMs: 0,
      stdout: '',
      stderr: '',
      stdoutBytes: 0,
      stderrBytes: 0,
      stdoutTruncated: false,
      stderrTruncated: false,
      invalidUtf8: false,
      leftProcesses: 0,
    };
  },
};

/** Measures what the looks at reached files add to an event, with hooks that cost nothing else. */
export async function trustOfEvent(): Promise<Bench> {
  const count = 20;
  const layouts = [small, ...large];
  const places = layouts.map((layout) => new Place(layout, count));
  const opened: Hooks[] = [];
  const variants: Variant[] = [];
  for (const place of places) {
    await place.acceptAll();
    for (const trust of ['all', 'store'] as const) {
      const hooks = await place.open(trust, { advanced: { executors: [atOnce] } });
      opened.push(hooks);
      variants.push({
        name: `${place.layout.name}, '${trust}'`,
        batch: 10,
        run: async (times) => {
          for (let index = 0; index < times; index += 1) {
            const { outcomes } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', { path: 'a.txt' });
            if (outcomes.length !== count || outcomes.some(({ status }) => status !== 'succeeded')) throw new Error('a hook did not run');
          }
        },
      });
    }
  }
  return {
    name: `an event with ${count} hooks that reach files`,
    note: 'The hooks answer at once. What "store" adds is the look at the files before and after each run.',
    unit: 'µs',
    warmup: 10,
    rounds: 200,
    variants: variants as [Variant, ...Variant[]],
    marks: layouts.map(
      ({ name: layout }): Mark => ({
        text: `${layout}: 'store' costs at most 50 µs for each hook over 'all'`,
        reached: (median) => {
          const each = (median(`${layout}, 'store'`) - median(`${layout}, 'all'`)) / count;
          return { reached: each <= 50, measured: `${each.toFixed(1)} µs` };
        },
      }),
    ),
    dispose: async () => {
      for (const hooks of opened) await hooks.dispose();
      for (const place of places) place.remove();
    },
  };
}

/** Measures how long `createHooks` takes with hooks that have to be compared with what was accepted. */
export async function trustOfLoad(): Promise<Bench> {
  const count = 200;
  const places = large.map((layout) => new Place(layout, count));
  for (const place of places) await place.acceptAll();
  const variants = places.flatMap((place) =>
    (['all', 'store'] as const).map(
      (trust): Variant => ({
        name: `${place.layout.name}, '${trust}'`,
        run: async () => {
          const hooks = await place.open(trust);
          const running = hooks.list('BeforeTool').filter(({ state }) => state === 'active').length;
          if (running !== count) throw new Error(`${running} hooks are active`);
          await hooks.dispose();
        },
      }),
    ),
  );
  return {
    name: `createHooks with ${count} hooks that reach files`,
    unit: 'ms',
    warmup: 3,
    rounds: 30,
    variants: variants as [Variant, ...Variant[]],
    marks: large.map(
      ({ name: layout }): Mark => ({
        text: `${layout}: createHooks with 'store' takes at most 150 ms`,
        reached: (median) => {
          const took = median(`${layout}, 'store'`);
          return { reached: took <= 150, measured: `${took.toFixed(0)} ms` };
        },
      }),
    ),
    dispose: async () => {
      for (const place of places) place.remove();
    },
  };
}

/** A project with hooks that run scripts, and an empty home directory. */
class Place {
  readonly layout: Layout;
  readonly #root = mkdtempSync(join(tmpdir(), 'bench-trust-'));

  constructor(layout: Layout, hooks: number) {
    this.layout = layout;
    const commands = Array.from({ length: hooks }, (_, index) => this.#writeHook(index));
    mkdirSync(join(this.#root, 'home'));
    mkdirSync(join(this.#root, 'project/.llxprt'), { recursive: true });
    const settings = { tools: { enableHooks: true }, hooks: { BeforeTool: [{ hooks: commands.map((command) => ({ command })) }] } };
    writeFileSync(join(this.#root, 'project/.llxprt/settings.json'), JSON.stringify(settings));
  }

  /** In one folder, all hooks run the same script with different arguments, so that each reaches the same files. */
  #writeHook(index: number): string {
    const { files, shared } = this.layout;
    const folder = shared ? 'hooks' : `hooks/${index}`;
    const path = join(this.#root, 'project', folder);
    if (!shared || index === 0) {
      mkdirSync(path, { recursive: true });
      for (let file = 1; file < files; file += 1) writeFileSync(join(path, `lib${file}.sh`), `# ${'x'.repeat(2_000)}${file}\n`);
      writeFileSync(join(path, 'guard.sh'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    }
    return `./${folder}/guard.sh ${index}`;
  }

  async open(trust: 'all' | 'store', options: CreateHooksOptions = {}): Promise<Hooks> {
    const before = process.env['HOME'];
    process.env['HOME'] = join(this.#root, 'home');
    try {
      const directory = join(this.#root, 'home/decisions');
      return await createHooks({
        projectDir: join(this.#root, 'project'),
        sessionId: 'bench',
        trust: { mode: trust, directory },
        ...options,
      });
    } finally {
      process.env['HOME'] = before;
    }
  }

  async acceptAll(): Promise<void> {
    const hooks = await this.open('store');
    for (const { pin } of hooks.trust.requests()) await hooks.trust.accept(pin);
    await hooks.dispose();
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}
