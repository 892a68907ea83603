import { createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import {
  type Dialect,
  type HookDefinition,
  type HookExecutor,
  type HookLevel,
  type HookOutput,
  type HookSource,
  hookLevels,
} from '@tenterhook/protocol';
import fc from 'fast-check';
import { createHooks, type Hooks } from 'tenterhook';

/**
 * Property: what a hook takes out of a result is not in the result that goes on, unless a hook of its level or of a higher one wrote it.
 * Hooks of any level take out a word, remove everything for a word, or write a text; they run side by side or one after another, and some
 * return results in which they found nothing. They are functions, because processes would permit only a few runs a second.
 */
const numRuns = 10_000;
const patienceMs = 1_800_000;

const words = ['w0', 'w1', 'w2', 'w3'] as const;
type Word = (typeof words)[number];

interface AnyHook {
  readonly kind: 'side by side' | 'in a row';
  readonly level: HookLevel;
  readonly does: 'takes out' | 'removes all' | 'writes';
  readonly word: Word;
  /** What it writes. */
  readonly text: string;
  /** It returns the result if it finds nothing in it. */
  readonly repeats: boolean;
  /** It denies with what it writes, as hooks do in formats in which a deny is the only rewrite. */
  readonly denies: boolean;
}

const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 }).map((list) => list.join(' '));
const anyHook: fc.Arbitrary<AnyHook> = fc.record({
  kind: fc.constantFrom('side by side' as const, 'in a row' as const),
  level: fc.constantFrom(...hookLevels),
  does: fc.constantFrom('takes out' as const, 'takes out' as const, 'removes all' as const, 'writes' as const),
  word: fc.constantFrom(...words),
  text,
  repeats: fc.boolean(),
  denies: fc.nat({ max: 3 }).map((number) => number === 0),
});

const rankOf = ({ level }: AnyHook) => hookLevels.indexOf(level);
const has = (shown: string, word: Word) => shown.split(' ').includes(word);

function answerOf(hook: AnyHook, shown: string): HookOutput {
  const isFound = hook.does === 'writes' || has(shown, hook.word);
  if (!isFound && !hook.repeats) return {};
  const found = { writes: hook.text, 'removes all': '[gone]', 'takes out': shown.replaceAll(hook.word, '[X]') }[hook.does];
  const updatedToolOutput = isFound ? found : shown;
  return { ...(hook.denies && isFound ? { decision: 'deny', reason: 'no' } : {}), hookSpecificOutput: { updatedToolOutput } };
}

const dialectOf = (name: string, layOut: Dialect['layOut']): Dialect => ({
  name,
  locations: () => [],
  parse: () => ({ hooks: [], diagnostics: [] }),
  layOut,
  select: () => ({ run: true, reason: 'it always runs' }),
  invocation: ({ input }, { id }) => ({ kind: 'call', handlerId: id, argument: input }),
  decode: (exit) => ({ output: exit.kind === 'answered' ? (exit.answer as HookOutput) : {}, warnings: [] }),
});
const dialects = [
  dialectOf('side by side', (own) => (own.length === 0 ? [] : [{ hooks: own }])),
  dialectOf('in a row', (own) => own.map((hook) => ({ hooks: [hook] }))),
];
const executor: HookExecutor = {
  kind: 'call',
  async run(invocation, { dialectData }, _event, { onStart }) {
    onStart();
    if (invocation.kind !== 'call') throw new TypeError('it was to be called');
    const { tool_response: shown } = invocation.argument as { tool_response: { llmContent: string } };
    return { kind: 'answered', answer: answerOf(dialectData as AnyHook, shown.llmContent), durationMs: 0 };
  },
};

let hooks: Hooks;
let definitions: HookDefinition[] = [];
const listeners = new Set<() => void>();
const sources = dialects.map(
  (dialect): HookSource => ({
    dialect,
    hooksFor: (eventName) => definitions.filter((hook) => hook.dialect === dialect.name && hook.eventName === eventName),
    changes$: {
      subscribe(listener) {
        listeners.add(listener);
        return { unsubscribe: () => listeners.delete(listener) };
      },
    },
  }),
);
beforeAll(async () => {
  hooks = await createHooks({ settings: {}, sessionId: 's1', advanced: { sources, executors: [executor] } });
});
afterAll(() => hooks.dispose());

function definitionOf(hook: AnyHook, index: number): HookDefinition {
  return {
    id: `h${index}`,
    dialect: hook.kind,
    source: hook.level,
    eventName: 'AfterTool',
    dialectEvent: 'AfterTool',
    timeoutMs: 60_000,
    onError: 'continue',
    action: { kind: 'call', handlerId: `h${index}` },
    dialectData: hook,
  };
}

/** The words of the result that the hook would take out of it, if it were the only hook. */
function removedBy(hook: AnyHook, given: string): Word[] {
  if (hook.does === 'writes' || !has(given, hook.word)) return [];
  return hook.does === 'takes out' ? [hook.word] : words.filter((word) => has(given, word));
}

test(
  'what a hook takes out is not passed on, unless a hook of its level or above writes it',
  async () => {
    let removed = 0;
    let kept = 0;
    const property = fc.asyncProperty(fc.array(anyHook, { minLength: 1, maxLength: 5 }), text, async (generated, given) => {
      definitions = generated.map(definitionOf);
      for (const listener of listeners) listener();
      const call = await executeToolWithHooks(createHookClient(hooks), { name: 'read', input: {}, execute: () => ({ llmContent: given }) });
      const passed = JSON.stringify(call.result).match(/w\d/g) ?? [];
      if (call.after?.outcomes.some(({ warnings }) => warnings.some(({ code }) => code === 'rewrite_kept'))) kept += 1;
      for (const hook of generated) {
        const above = generated.filter((other) => other !== hook && rankOf(other) >= rankOf(hook));
        // A hook of its level or above may take the word away for which it removes everything.
        if (hook.does === 'removes all' && above.some(({ does, word }) => does !== 'takes out' || word === hook.word)) continue;
        for (const word of removedBy(hook, given)) {
          if (above.some((other) => other.does === 'writes' && has(other.text, word))) continue;
          removed += 1;
          expect(passed).not.toContain(word);
        }
      }
    });
    await fc.assert(property, { numRuns });
    expect(removed).toBeGreaterThan(0);
    expect(kept).toBeGreaterThan(0);
  },
  patienceMs,
);
