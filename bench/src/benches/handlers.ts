import { type HandlerEvent, type HookEngine, type HookHandler, HookResponse } from '@tenterhook/handlers';
import { createHooks as createHookable, HookableCore } from 'hookable';
import { AsyncSeriesHook } from 'tapable';
import type { Bench, Variant } from '../bench.js';
import { engineWith } from './engine-with.js';

const counts = [0, 1, 10, 100];
const event: HandlerEvent<'pre_tool_use'> = {
  event_type: 'pre_tool_use',
  payload: {
    session_id: 'bench',
    tool: 'write_file',
    args: { path: 'a.txt', content: 'x'.repeat(850) },
    working_directory: '/project',
    recent_tools: ['read_file', 'grep'],
  },
};

type Listener = (event: HandlerEvent) => Promise<void>;

/** Runs one event through 0 to 100 functions one after another, and compares two libraries that do nothing else. */
export function handlers(kind: 'a promise' | 'at once'): Bench {
  let calls = 0;
  const answer = () => {
    calls += 1;
    return HookResponse.continue_();
  };
  const handle: HookHandler['handle'] = kind === 'at once' ? () => answer() : async () => answer();
  // The types of the other libraries have no answer, because these libraries ignore answers.
  const listener = handle as unknown as Listener;

  const variantsOf = (count: number): [Variant, ...Variant[]] => {
    const hookable = createHookable<{ fired: Listener }>();
    const core = new HookableCore<{ fired: Listener }>();
    const tapable = new AsyncSeriesHook<[HandlerEvent]>(['event']);
    const engine: HookEngine = engineWith(count, handle);
    for (let index = 0; index < count; index += 1) {
      hookable.hook('fired', listener);
      core.hook('fired', listener);
      if (kind === 'at once') tapable.tap(`h${index}`, listener);
      else tapable.tapPromise(`h${index}`, listener);
    }
    const baseline = nameOf(count, 'hookable');
    const each = (library: string, once: () => unknown): Variant => ({
      name: nameOf(count, library),
      against: baseline,
      batch: count === 0 ? 2000 : Math.ceil(2000 / count),
      run: async (times) => {
        calls = 0;
        for (let index = 0; index < times; index += 1) await once();
        if (calls !== times * count) throw new Error(`${library} did not call every handler`);
      },
    });
    return [
      each('hookable', () => hookable.callHook('fired', event)),
      each('HookableCore', () => core.callHook('fired', event)),
      each('tapable', () => tapable.promise(event)),
      each('engine.fire', async () => {
        const { action, warnings } = await engine.fire(event);
        if (action !== 'Continue' || warnings.length > 0) throw new Error('the handlers did not answer');
      }),
    ];
  };

  const [none, ...others] = counts.map(variantsOf);
  const [fired, baseline] = [nameOf(10, 'engine.fire'), nameOf(10, 'hookable')];
  return {
    name: `an event through handlers that answer ${kind === 'at once' ? kind : 'with a promise'}`,
    unit: 'µs',
    note: [
      'Of these only engine.fire matches the event, gives each handler a copy of it, a deadline and a signal, and reads what it answers.',
      'hookable labels each event for the debugger (console.createTask), half and more of its time with 10; HookableCore has no labels.',
    ].join('\n  '),
    warmup: 20,
    rounds: 200,
    variants: [...(none as [Variant, ...Variant[]]), ...others.flat()],
    marks: [
      {
        text: `10 handlers that answer ${kind === 'at once' ? kind : 'with a promise'}: engine.fire takes at most 3 times hookable`,
        reached: (median) => ({
          reached: median(fired) / median(baseline) <= 3,
          measured: `${(median(fired) / median(baseline)).toFixed(2)}x`,
        }),
      },
    ],
  };
}

function nameOf(count: number, library: string): string {
  return `${count} ${count === 1 ? 'handler' : 'handlers'}, ${library}`;
}
