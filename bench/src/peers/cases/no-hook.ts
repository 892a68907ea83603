import { createHooks as createHookable, HookableCore } from 'hookable';
import { AsyncSeriesHook } from 'tapable';
import { createHooks } from 'tenterhook';
import type { Absent, Variant } from '../../bench.js';
import { callOf, tool } from '../contenders/contender.js';
import { geminiHookSystem, geminiName } from '../contenders/gemini-cli.js';
import { atMostTimes, atMostUnits } from '../marks.js';
import type { Case } from './case.js';

const name = 'an event for which no hook runs';
const emptyCall = 'an empty call';
const ours = (hooks: string) => `Tenterhook, ${hooks}`;
const peers = (hooks: string) => `${geminiName}, ${hooks}`;
const [none, many] = ['no hooks', '1000 hooks that do not match'];

/** Hooks that must not slow an agent down: there are none, or none is for this tool. */
export const noHook: Case = {
  name,
  make: async (withPeer) => {
    const input = callOf(1000);
    const settings = [{}, { hooks: { BeforeTool: hooksOfOtherTools() } }] as const;
    const agents = await Promise.all(settings.map((given) => createHooks({ projectDir: '.', sessionId: 'bench', settings: given })));
    const loaded = await (agents[1] as (typeof agents)[0]).getEventHandler().fireBeforeToolEvent(tool, input);
    if (loaded.outcomes.length !== 1000) throw new Error('Tenterhook: the hooks were not loaded');
    const { variants: ofPeer, absent } = withPeer ? await variantsOfPeer(settings, input) : { variants: [], absent: [] };
    const hookable = createHookable<{ fired: (input: object) => void }>();
    const core = new HookableCore<{ fired: (input: object) => void }>();
    const tapable = new AsyncSeriesHook<[object]>(['input']);
    let answered: unknown;
    const called = (variant: string, call: () => unknown): Variant => ({
      name: variant,
      batch: 20_000,
      run: (times) => {
        for (let index = 0; index < times; index += 1) answered = call();
        if (variant !== emptyCall && answered === undefined) throw new Error(`${variant}: there was no answer`);
      },
    });
    const [noHooks, manyHooks] = agents.map((agent, index) => {
      const handler = agent.getEventHandler();
      return called(ours(index === 0 ? none : many), () => handler.fireBeforeToolEvent(tool, input));
    });
    return {
      name,
      unit: 'ns',
      note: 'The results of Tenterhook are not awaited, because they are constants. The peer is awaited: it has no other way.',
      warmup: 3,
      rounds: 30,
      variants: [
        called(emptyCall, () => undefined),
        awaited('an awaited empty function', async () => {}),
        noHooks as Variant,
        manyHooks as Variant,
        awaited('hookable, no hooks', async () => hookable.callHook('fired', input)),
        awaited('HookableCore, no hooks', async () => core.callHook('fired', input)),
        awaited('tapable, no hooks', () => tapable.promise(input)),
        ...ofPeer,
      ],
      absent,
      marks: [
        atMostUnits(20, 'ns', 'an event without hooks', ours(none), ({ median, ratio }) => median - median / ratio),
        atMostTimes(1 / 500, '1000 hooks that do not match', ours(many), peers(many)),
      ],
      dispose: async () => {
        for (const agent of agents) await agent.dispose();
      },
    };
  },
};

function hooksOfOtherTools(): object[] {
  return Array.from({ length: 1000 }, (_, index) => ({
    matcher: '^never$',
    hooks: [{ type: 'command', name: `h${index}`, command: 'true' }],
  }));
}

function awaited(name: string, call: () => unknown, batch = 5000): Variant {
  return {
    name,
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) await call();
    },
  };
}

async function variantsOfPeer(
  settings: readonly [object, object],
  input: object,
): Promise<{ variants: readonly Variant[]; absent: readonly Absent[] }> {
  try {
    const systems = [await geminiHookSystem(settings[0]), await geminiHookSystem(settings[1])] as const;
    if (systems[1].getAllHooks().length !== 1000) throw new Error(`${geminiName}: the hooks were not loaded`);
    const [nothing, thousand] = [systems[0].getEventHandler(), systems[1].getEventHandler()];
    return {
      variants: [
        awaited(peers(none), () => nothing.fireBeforeToolEvent(tool, input), 1000),
        awaited(peers(many), () => thousand.fireBeforeToolEvent(tool, input), 10),
      ],
      absent: [],
    };
  } catch (error) {
    return { variants: [], absent: [{ name: geminiName, why: (error as Error).message }] };
  }
}
