import type { Dialect, HookDefinition, HookExecutor, HookSource } from '@tenterhook/protocol';
import { withHooks } from '../support/fire-hooks.js';
import { engineWith, keeping } from './engine-scene.js';

/** As a host writes it that has hooks of its own: a dialect whose hooks are calls, and who runs them. */
const dialect: Dialect = {
  name: 'host',
  locations: () => [],
  parse: () => ({ hooks: [], diagnostics: [] }),
  layOut: (hooks) => [{ hooks }],
  select: () => ({ run: true, reason: 'it always runs' }),
  invocation: (_event, hook) => ({ kind: 'call', handlerId: hook.id, argument: undefined }),
  decode: () => ({ warnings: [] }),
};
const definition: HookDefinition = {
  id: 'mine',
  dialect: 'host',
  source: 'handler',
  eventName: 'BeforeTool',
  dialectEvent: 'BeforeTool',
  timeoutMs: 60_000,
  onError: 'continue',
  action: { kind: 'call', handlerId: 'mine' },
  dialectData: undefined,
};
const source: HookSource = {
  dialect,
  hooksFor: (eventName) => (eventName === 'BeforeTool' ? [definition] : []),
  changes$: { subscribe: () => ({ unsubscribe() {} }) },
};

test.each(['handlers', 'sources'])(
  'an executor of the kind "call" beside an engine that is given as %s: each runs its own',
  async (place) => {
    const ran: string[] = [];
    const executor: HookExecutor = {
      kind: 'call',
      async run(_invocation, { id }, _event, { onStart }) {
        onStart();
        ran.push(id);
        return { kind: 'answered', answer: undefined, durationMs: 0 };
      },
    };
    const { payloads, handle } = keeping();
    const engine = engineWith({ theirs: ['pre_tool_use', handle] });
    const engines =
      place === 'handlers'
        ? { handlers: [engine], sources: [source], executors: [executor] }
        : { sources: [engine, source], executors: [executor, engine] };
    await withHooks({ settings: {}, ...engines }, async ({ handler }) => {
      const { outcomes } = await handler.fireBeforeToolEvent('Bash', {});
      expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    });
    expect([ran, payloads.length]).toEqual([['mine'], 1]);
  },
);
