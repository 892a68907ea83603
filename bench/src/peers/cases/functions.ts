import { HookResponse } from '@tenterhook/handlers';
import { createHooks as createHookable } from 'hookable';
import { AsyncSeriesHook } from 'tapable';
import { createHooks } from 'tenterhook';
import type { Absent, Variant } from '../../bench.js';
import { engineWith } from '../../benches/engine-with.js';
import { callOf, tool } from '../contenders/contender.js';
import { geminiHookSystem, geminiName } from '../contenders/gemini-cli.js';
import { atMostTimes } from '../marks.js';
import type { Case } from './case.js';

const count = 10;
const name = `${count} hooks that are functions`;
const [engine, agent] = ['Tenterhook, engine.fire', 'Tenterhook, through an agent'];

const why =
  'The event is a request on the bus that is validated and planned, and each function has an outcome with its duration in one verdict.';

/** Functions in the process of the agent. hookable and tapable only call them; they have no matchers, deadlines or answers. */
export const functions: Case = {
  name,
  make: async (withPeer) => {
    let calls = 0;
    const respond = async () => {
      calls += 1;
      return HookResponse.continue_();
    };
    const listen = async () => {
      calls += 1;
    };
    const input = callOf(1000);
    const payload = { session_id: 'bench', tool, args: input, working_directory: '/project', recent_tools: [] };
    const ours = engineWith(count, respond);
    const hooks = await createHooks({ projectDir: '.', sessionId: 'bench', settings: {}, handlers: [engineWith(count, respond)] });
    const hookable = createHookable<{ fired: (input: object) => Promise<void> }>();
    const tapable = new AsyncSeriesHook<[object]>(['input']);
    for (let index = 0; index < count; index += 1) {
      hookable.hook('fired', listen);
      tapable.tapPromise(`h${index}`, listen);
    }
    const absent: Absent[] = [];
    const each = (variant: string, once: () => unknown): Variant => ({
      name: variant,
      batch: 50,
      run: async (times) => {
        calls = 0;
        for (let index = 0; index < times; index += 1) await once();
        if (calls !== times * count) throw new Error(`${variant}: not every function was called`);
      },
    });
    const ofPeer: Variant[] = [];
    if (withPeer) {
      try {
        const system = await geminiHookSystem({});
        const action = async () => {
          calls += 1;
          return {};
        };
        for (let index = 0; index < count; index += 1) system.registerHook({ type: 'runtime', name: `h${index}`, action }, 'BeforeTool');
        ofPeer.push(each(geminiName, () => system.getEventHandler().fireBeforeToolEvent(tool, input)));
      } catch (error) {
        absent.push({ name: geminiName, why: (error as Error).message });
      }
    }
    return {
      name,
      unit: 'µs',
      note: 'hookable and tapable only call the functions: without matchers, deadlines, or answers that are read.',
      warmup: 10,
      rounds: 60,
      variants: [
        { ...each(engine, () => ours.fire({ event_type: 'pre_tool_use', payload })), against: 'hookable' },
        each(agent, () => hooks.getEventHandler().fireBeforeToolEvent(tool, input)),
        each('hookable', () => hookable.callHook('fired', input)),
        each('tapable', () => tapable.promise(input)),
        ...ofPeer,
      ],
      absent,
      marks: [atMostTimes(4, '10 functions through an agent', agent, engine, why)],
      dispose: () => hooks.dispose(),
    };
  },
};
