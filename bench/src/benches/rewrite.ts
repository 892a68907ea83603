import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Bench, Variant } from '../bench.js';

/** The two packages of a checkout: this one, or another one to compare with. */
interface Libraries {
  readonly createHooks: typeof import('tenterhook').createHooks;
  readonly handlers: typeof import('@tenterhook/handlers');
}

type Hooks = Awaited<ReturnType<Libraries['createHooks']>>;

/** What a hook of the benchmark does with the event: it allows, it prints nothing, or it rewrites the input of the tool. */
type Role = 'guard' | 'observer' | 'rewriter';

const input = { path: 'a.txt', content: 'x'.repeat(850) };
const rewritten = { path: 'b.txt' };

/**
 * Measures the cost of a rewrite, after which guards that have received another input are asked again. Hooks run one after another, so that
 * each run of a hook is in the measured time. `against`: the folder of another checkout, installed and built; its event without a rewrite
 * is measured in the same rounds.
 */
export async function rewrite(kind: 'commands' | 'handlers', against: string | undefined): Promise<Bench> {
  const here = { createHooks: (await import('tenterhook')).createHooks, handlers: await import('@tenterhook/handlers') };
  const closing: Hooks[] = [];
  const variant = async (libraries: Libraries, name: string, roles: readonly Role[], runs: number): Promise<Variant> => {
    const { hooks, count } = await (kind === 'commands' ? commandsOf(libraries, roles) : handlersOf(libraries, roles));
    closing.push(hooks);
    const path = roles.includes('rewriter') ? rewritten.path : undefined;
    return {
      name,
      batch: kind === 'commands' ? 1 : 100,
      run: async (times) => {
        const before = count();
        for (let index = 0; index < times; index += 1) {
          const { outcomes, finalOutput, verdict } = await hooks.getEventHandler().fireBeforeToolEvent('write_file', input);
          const effective = finalOutput?.hookSpecificOutput?.['tool_input'] as { path?: string } | undefined;
          if (verdict.kind === 'deny' || effective?.path !== path || outcomes.length < roles.length)
            throw new Error(`${name}: a wrong answer`);
        }
        const ran = (count() - before) / times;
        if (kind === 'handlers' && ran !== runs) throw new Error(`${name}: ${ran} runs instead of ${runs}`);
      },
    };
  };
  const plain = await variant(here, 'a guard and an observer', ['guard', 'observer'], 2);
  const seen = await variant(here, 'a rewrite before two guards', ['rewriter', 'guard', 'guard'], 3);
  const again = await variant(here, 'a rewrite after the guard, which is asked again', ['guard', 'rewriter'], 3);
  const other =
    against === undefined ? [] : [await variant(await librariesOf(against), `${plain.name}, other checkout`, ['guard', 'observer'], 2)];
  const most = kind === 'commands' ? 1.1 : 1.5;
  return {
    name: `an event whose ${kind} rewrite`,
    unit: kind === 'commands' ? 'ms' : 'µs',
    note: 'Hooks run one after another. Only a guard that has not seen the input that the tool receives is asked again.',
    warmup: 10,
    rounds: kind === 'commands' ? 100 : 300,
    variants: [plain, seen, again, ...other],
    marks: [
      {
        text: `${kind}: an event with a guard that is asked again takes at most ${most} times as long as a rewrite before two guards`,
        reached: (median) => ({
          reached: median(again.name) <= most * median(seen.name),
          measured: `${(median(again.name) / median(seen.name)).toFixed(2)}x`,
        }),
      },
      ...other.map(({ name }) => ({
        text: `${kind}: an event without a rewrite takes at most 1.03 times as long as in the other checkout`,
        reached: (median: (variant: string) => number) => ({
          reached: median(plain.name) <= 1.03 * median(name),
          measured: `${(median(plain.name) / median(name)).toFixed(3)}x`,
        }),
      })),
    ],
    dispose: async () => {
      for (const hooks of closing) await hooks.dispose();
    },
  };
}

const commandOf = {
  guard: 'read -r event; echo \'{"decision":"allow"}\'',
  observer: 'read -r event',
  rewriter: `read -r event; echo '${JSON.stringify({ hookSpecificOutput: { tool_input: rewritten } })}'`,
};

async function commandsOf({ createHooks }: Libraries, roles: readonly Role[]) {
  const group = { sequential: true, hooks: roles.map((role, index) => ({ name: `${role}${index}`, command: commandOf[role] })) };
  const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: { hooks: { BeforeTool: [group] } } });
  return { hooks, count: () => 0 };
}

async function handlersOf({ createHooks, handlers }: Libraries, roles: readonly Role[]) {
  const { Hook, HookEngine, HookEventType, HookResponse } = handlers;
  let count = 0;
  const engine = new HookEngine();
  for (const [index, role] of roles.entries()) {
    const hook = Hook.new(`${role}${index}`, HookEventType.PreToolUse);
    engine.register(hook);
    engine.register_handler(hook.id, {
      handle: () => {
        count += 1;
        return role === 'rewriter' ? { action: 'Continue', modified: rewritten } : HookResponse.continue_();
      },
    });
  }
  const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: {}, handlers: [engine] });
  return { hooks, count: () => count };
}

async function librariesOf(folder: string): Promise<Libraries> {
  const load = (path: string) => import(pathToFileURL(join(resolve(folder), 'packages', path, 'dist/index.js')).href);
  const [{ createHooks }, handlers] = await Promise.all([load('tenterhook'), load('handlers')]);
  return { createHooks, handlers };
}
