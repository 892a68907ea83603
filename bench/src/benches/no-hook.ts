import { createHooks } from 'tenterhook';
import type { Bench, Mark, Variant } from '../bench.js';

const batch = 200_000;

/** Measures an event without a hook to run, which should cost one synchronous check (design §8.2, seed 001 §7.1). */
export async function noHook(): Promise<Bench> {
  const off = await hooksWith({ tools: { enableHooks: false }, hooks: { BeforeTool: manyHooks() } });
  const none = await hooksWith({});
  const others = await hooksWith({ hooks: { AfterTool: manyHooks() } });
  const deaf = await hooksWith({ hooks: { BeforeTool: manyHooks() } });
  const watched = await hooksWith({ hooks: { BeforeTool: manyHooks() } });
  let seen = 0;
  watched.bus.subscribe('HOOK_EXECUTION_RESPONSE', () => {
    seen += 1;
  });

  const input = { path: 'a.txt' };
  let answered: unknown;
  const empty = (): unknown => answered;
  const loop = (name: string, call: () => unknown): Variant => ({
    name,
    batch,
    run: (times) => {
      for (let index = 0; index < times; index += 1) answered = call();
    },
  });
  const fire = (name: string, { getEventHandler }: Hooks) => {
    const handler = getEventHandler();
    return loop(`fireBeforeToolEvent, ${name}`, () => handler.fireBeforeToolEvent('write_file', input));
  };
  const call = { tool_name: 'write_file', tool_input: input };
  const fireByName = (name: string, { fire: fireEvent }: Hooks) => loop(`fire, ${name}`, () => fireEvent('BeforeTool', call));
  const emptyCall = loop('an empty call', empty);
  const withoutHooks = [
    fire('hooks switched off', off),
    fire('no hooks', none),
    fire('1000 hooks of another event', others),
    fireByName('no hooks', none),
  ];
  const matchingNone = [fire('1000 hooks that do not match', deaf), fireByName('1000 hooks that do not match', deaf)];
  const overTheBus: Variant = {
    name: 'the same, watched, so over the bus',
    batch: 1000,
    run: async (times) => {
      const before = seen;
      for (let index = 0; index < times; index += 1) await watched.getEventHandler().fireBeforeToolEvent('write_file', input);
      if (seen - before !== times) throw new Error('the watcher did not see every event');
    },
  };
  await requireIdle(deaf);
  return {
    name: 'an event that no hook runs for',
    note: 'bytes: of the JavaScript heap, allocated per call; the empty call shows what counting itself costs.',
    unit: 'ns',
    warmup: 5,
    rounds: 60,
    bytesOver: 1000,
    variants: [emptyCall, loop('hooks.has', () => none.has('BeforeTool')), ...withoutHooks, ...matchingNone, overTheBus],
    marks: [
      ...withoutHooks.map(({ name }) => costsAtMost(20, name, emptyCall.name)),
      // A 500th of the time of a comparable library (523 µs), measured on another day.
      ...matchingNone.map(({ name }) => costsAtMost(1000, name, emptyCall.name)),
      costsAtMost(8000, overTheBus.name, emptyCall.name),
      ...[...withoutHooks, ...matchingNone].map(({ name }) => allocatesNothing(name, emptyCall.name)),
    ],
    dispose: async () => {
      for (const hooks of [off, none, others, deaf, watched]) await hooks.dispose();
    },
  };
}

type Hooks = Awaited<ReturnType<typeof createHooks>>;

function hooksWith(settings: object): Promise<Hooks> {
  return createHooks({ projectDir: '.', sessionId: 'bench', settings });
}

function manyHooks(): object[] {
  return Array.from({ length: 1000 }, (_, index) => ({ matcher: '^never$', hooks: [{ name: `h${index}`, command: 'true' }] }));
}

/** Checks first that the hooks are configured: code that ignored them would be the fastest. */
async function requireIdle(hooks: Hooks): Promise<void> {
  const { outcomes } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', {});
  if (outcomes.length !== 1000 || outcomes.some((outcome) => outcome.skipReason !== 'matcher')) throw new Error('the hooks did not answer');
}

function costsAtMost(most: number, name: string, baseline: string): Mark {
  return {
    text: `${name} costs at most ${most} ns over an empty call`,
    reached: (median) => ({
      reached: median(name) - median(baseline) <= most,
      measured: `${(median(name) - median(baseline)).toFixed(1)} ns`,
    }),
  };
}

/** Requires less than one byte, because the smallest object has sixteen. */
function allocatesNothing(name: string, baseline: string): Mark {
  return {
    text: `${name} allocates nothing`,
    reached: (_median, bytes) => ({
      reached: bytes(name) - bytes(baseline) < 1,
      measured: `${(bytes(name) - bytes(baseline)).toFixed(2)} bytes`,
    }),
  };
}
