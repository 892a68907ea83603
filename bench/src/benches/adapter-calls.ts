import { Hook, type HookEngine, HookEventType, HookResponse } from '@tenterhook/handlers';
import { createHooks, type Hooks } from 'tenterhook';
import type { Bench, Variant } from '../bench.js';
import { atMost } from './at-most.js';
import { engineWith } from './engine-with.js';

/** The calls of a framework, each of which answers at once, so that the time is that of the adapter. They throw if there is no answer. */
export interface Calls {
  model(): Promise<void>;
  tool(): Promise<void>;
}

/** What is measured of an adapter. */
export interface AdapterBench {
  readonly framework: string;
  /** How a call passes the adapter, as the rest of "a model call …". */
  readonly through: string;
  readonly note?: string;
  /** The calls without the adapter. */
  readonly plain: Calls;
  /** Returns the calls through the adapter. */
  readonly hookedBy: (hooks: Hooks) => Calls | Promise<Calls>;
  /** Further variants with one handler for each call. */
  readonly others?: (hooks: Hooks) => readonly Variant[];
}

const kinds = ['model', 'tool'] as const;
type Kind = (typeof kinds)[number];

/** Compares calls of a model and of a tool with the same calls through an adapter, without hooks and with one hook that is a function. */
export async function benchAdapter({ framework, through, note, plain, hookedBy, others }: AdapterBench): Promise<Bench> {
  const idle = await createHooks({ sessionId: 'bench', settings: {} });
  const one = await createHooks({ sessionId: 'bench', settings: {}, handlers: [engineOfBoth()] });
  // Code that does not ask the hooks would be the fastest.
  if (idle.has('BeforeTool') || !one.has('BeforeTool') || !one.has('BeforeModel')) {
    throw new Error('the hooks are not those that are measured');
  }
  const [free, hooked] = [await hookedBy(idle), await hookedBy(one)];
  const idleName = (kind: string) => `a ${kind} call ${through}, no hooks`;
  const variantsOf = (kind: Kind): [Variant, Variant, Variant] => [
    repeat(plainName(kind), kind, plain, 2000),
    repeat(idleName(kind), kind, free, 2000),
    repeat(`a ${kind} call ${through}, 1 handler`, kind, hooked, 200),
  ];
  return {
    name: `${framework}: a call of a model and of a tool`,
    note: `${note === undefined ? '' : `${note} `}With handlers, each call is one event: pre_tool_use or generate_start, and the handler continues.`,
    unit: 'µs',
    warmup: 20,
    rounds: 100,
    variants: [...variantsOf('model'), ...variantsOf('tool'), ...(others?.(one) ?? [])],
    marks: kinds.map((kind) =>
      atMost(`without hooks, a ${kind} call takes at most 2 µs longer`, 2, (median) => median(idleName(kind)) - median(plainName(kind))),
    ),
    dispose: async () => {
      await Promise.all([idle.dispose(), one.dispose()]);
    },
  };
}

/** The name of the variant without the adapter. */
export function plainName(kind: Kind): string {
  return `a ${kind} call`;
}

function repeat(name: string, kind: Kind, calls: Calls, batch: number): Variant {
  return {
    name,
    against: plainName(kind),
    batch,
    run: async (times) => {
      for (let index = 0; index < times; index += 1) await calls[kind]();
    },
  };
}

/** Throws if a call did not answer. */
export function requireAnswer(answer: unknown, expected: unknown): void {
  if (answer !== expected) throw new Error('there was no answer');
}

/** An engine with one handler before a tool and one before the model. */
function engineOfBoth(): HookEngine {
  const handle = async () => HookResponse.continue_();
  const engine = engineWith(1, handle);
  const beforeModel = Hook.new('before-model', HookEventType.GenerateStart);
  engine.register(beforeModel);
  engine.register_handler(beforeModel.id, { handle });
  return engine;
}
