import { createHooks } from 'tenterhook';
import type { Bench } from '../bench.js';

const batch = 200_000;

/** What an agent pays for an event that nobody hooks: one synchronous check (design §8.2). */
export async function noHook(): Promise<Bench> {
  const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: {} });
  const others = await createHooks({ projectDir: '.', sessionId: 'bench', settings: { hooks: { AfterTool: manyHooks('^never$') } } });
  const handler = hooks.getEventHandler();
  const otherHandler = others.getEventHandler();
  const input = { path: 'a.txt' };
  let answered: unknown;
  const empty = (): unknown => answered;

  const loop = (name: string, call: () => unknown) => ({
    name,
    batch,
    run: (times: number) => {
      for (let index = 0; index < times; index += 1) answered = call();
    },
  });
  const emptyCall = 'an empty call';
  const fires = ['fireBeforeToolEvent, no hooks', 'fireBeforeToolEvent, 1000 hooks of another event'];
  return {
    name: 'an event without hooks',
    unit: 'ns',
    warmup: 5,
    rounds: 60,
    variants: [
      loop(emptyCall, empty),
      loop('hooks.has', () => hooks.has('BeforeTool')),
      loop(fires[0] as string, () => handler.fireBeforeToolEvent('write_file', input)),
      loop(fires[1] as string, () => otherHandler.fireBeforeToolEvent('write_file', input)),
    ],
    marks: fires.map((name) => ({
      text: `${name} costs at most 50 ns over an empty call`,
      reached: (median) => ({
        reached: median(name) - median(emptyCall) <= 50,
        measured: `${(median(name) - median(emptyCall)).toFixed(1)} ns`,
      }),
    })),
    dispose: async () => {
      await hooks.dispose();
      await others.dispose();
    },
  };
}

function manyHooks(matcher: string): object[] {
  return Array.from({ length: 1000 }, (_, index) => ({ matcher, hooks: [{ name: `h${index}`, command: 'true' }] }));
}
