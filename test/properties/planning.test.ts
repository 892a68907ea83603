import { llxprt } from '@tenterhook/dialects';
import { type Dialect, type HookDefinition, type HookEvent, type HookEventName, hookEventNames, type Plan } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import fc from 'fast-check';
import { planEvent } from '../../packages/engine/src/planner/plan-event.js';
import { HookPlanner } from '../../packages/engine/src/planner/planner.js';
import type { HookSet } from '../../packages/engine/src/registry/registry.js';
import { HookRegistry } from '../../packages/engine/src/registry/registry.js';
import { combineOne, settingsAt } from '../support/levels.js';
import { anySettings } from './any-settings.js';

const numRuns = 3_000;
const patienceMs = 300_000;

type Documents = readonly { readonly source: string; readonly value: unknown }[];

/**
 * A second dialect, which has the hooks of extensions. It reads more fields of an event than the first, so the keys of the plan cache must
 * be combined.
 */
const native = llxprt();
const second: Dialect = {
  ...llxprt(),
  name: 'second',
  select: (hook, event) => {
    const isElsewhere = serverOf(event.input['mcp_context']) === 'elsewhere';
    return isElsewhere ? { run: false, skipReason: 'condition', reason: 'it is elsewhere' } : native.select(hook, event);
  },
};
const dialects = [native, second];

function serverOf(mcpContext: unknown): unknown {
  return isPlainObject(mcpContext) ? mcpContext['server_name'] : undefined;
}

/** Makes a set of hooks from settings, as a system reads them. Everything is created anew. */
function loaded(documents: Documents): HookSet {
  const parsed = documents.map(({ source, value }) => settingsAt(native, source, value));
  const hooks = combineOne(native, parsed).hooks.map((hook) => (hook.source === 'extension:x' ? { ...hook, dialect: 'second' } : hook));
  const source = {
    hooksFor: (eventName: HookEventName) => hooks.filter((hook) => hook.eventName === eventName),
    changes$: { subscribe: () => ({ unsubscribe() {} }) },
  };
  return new HookRegistry({ sources: [source], dialects }).current;
}

const base = { session_id: 's', transcript_path: '', cwd: '/', timestamp: '2026-11-21T10:00:00.000Z' };
const eventName = fc.constantFrom<HookEventName>(
  'BeforeTool',
  'BeforeTool',
  'AfterTool',
  'SessionStart',
  'BeforeAgent',
  'BeforeModel',
  'HostEnd',
);
const subject = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('write_file', 'read_file', 'startup') },
  { weight: 1, arbitrary: fc.constantFrom('here write_file', '\0["write_file"]', '') },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
const more = fc.dictionary(fc.constantFrom('tool_input', 'prompt', 'x'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
const mcp_context = fc.constantFrom<unknown>(undefined, { server_name: 'here' }, { server_name: 'elsewhere' }, 5);

/** Events with the same name and subject, which differ in fields that only some dialects read, and any other events. */
const anyEvents = fc
  .record({ eventName, subject, others: fc.array(fc.record({ eventName, subject }), { maxLength: 2 }) })
  .chain(({ others, ...one }) => fc.tuple(...[one, one, ...others].map((subjectOfOne) => eventOf(subjectOfOne))));
const anyEvent = fc.record({ eventName, subject }).chain(eventOf);

function eventOf({ eventName, subject }: { eventName: HookEventName; subject: string }): fc.Arbitrary<HookEvent> {
  return fc.record({ mcp_context, more }).map(({ mcp_context, more }) => ({
    eventName,
    input: { ...base, hook_event_name: eventName, tool_name: subject, source: subject, mcp_context, ...more },
    projectDir: '/',
  }));
}

const planOf = (set: HookSet, event: HookEvent) => planEvent(set.hooks[event.eventName], set.dialects, event);
const idsOf = (hooks: readonly HookDefinition[]) => hooks.map(({ id }) => id);
const runningIn = (plan: Plan) => plan.stages.flatMap((stage) => idsOf(stage.hooks));

/** Writes a plan as text that does not depend on the order of keys. Compiled matchers are functions, and are compared by their texts. */
function textOf(plan: Plan): string {
  return JSON.stringify(plan, (_key, value) =>
    isPlainObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

/** Returns the value with the keys of all its objects reversed or rotated. */
function withKeysMoved(value: unknown, places: number): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeysMoved(item, places));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).reverse();
  const by = entries.length === 0 ? 0 : places % entries.length;
  return Object.fromEntries([...entries.slice(by), ...entries.slice(0, by)].map(([key, item]) => [key, withKeysMoved(item, places)]));
}

test(
  'the same settings and the same event have the same plan, whatever order the keys of either are in',
  () => {
    fc.assert(
      fc.property(anySettings, anyEvent, fc.nat({ max: 7 }), (documents, event, places) => {
        const plan = textOf(planOf(loaded(documents), event));
        const moved = documents.map(({ source, value }) => ({ source, value: withKeysMoved(value, places) }));
        expect(textOf(planOf(loaded(moved), withKeysMoved(event, places) as HookEvent))).toBe(plan);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'planning twice gives equal plans that hold every configured hook once, in the order of the dialects and of the settings',
  () => {
    fc.assert(
      fc.property(anySettings, anyEvent, (documents, event) => {
        const set = loaded(documents);
        const configured = set.hooks[event.eventName];
        const before = JSON.stringify([configured, event]);
        const plan = planOf(set, event);
        const order = dialects.flatMap(({ name }) => configured.filter(({ dialect }) => dialect === name));
        expect(idsOf(plan.order)).toEqual(idsOf(order));

        const running = runningIn(plan);
        const skipped = new Set(plan.skipped.map(({ hook }) => hook.id));
        const isOnce =
          running.length + plan.skipped.length === configured.length && new Set([...running, ...skipped]).size === configured.length;
        const keepsOrder = running.join() === idsOf(order.filter(({ id }) => !skipped.has(id))).join();
        const isTold = plan.skipped.every(({ reason }) => reason !== '') && plan.stages.every(({ hooks }) => hooks.length > 0);
        // The hook that runs instead of a duplicate is before it.
        const places = new Map(order.map(({ id }, place) => [id, place]));
        const lostDuplicates = plan.skipped.filter(({ hook, skipReason, duplicateOf = '' }) => {
          return (
            skipReason === 'duplicate' && !(running.includes(duplicateOf) && Number(places.get(duplicateOf)) < Number(places.get(hook.id)))
          );
        });
        expect({ isOnce, keepsOrder, isTold, lostDuplicates }).toEqual({
          isOnce: true,
          keepsOrder: true,
          isTold: true,
          lostDuplicates: [],
        });

        expect(textOf(planOf(set, event))).toBe(textOf(plan));
        expect(JSON.stringify([configured, event])).toBe(before);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test(
  'a plan that is remembered is the plan that would be made, whatever was planned before',
  () => {
    fc.assert(
      fc.property(anySettings, anyEvents, (documents, events) => {
        const set = loaded(documents);
        const planner = new HookPlanner();
        const remembered = [...events, ...events].map((event) => planner.plan(set, event));
        const anew = events.map((event) => textOf(planOf(set, event)));
        expect(remembered.map(textOf)).toEqual([...anew, ...anew]);
      }),
      { numRuns },
    );
  },
  patienceMs,
);

test('an event that no settings speak of has an empty plan', () => {
  fc.assert(
    fc.property(anySettings, (documents) => {
      const set = loaded(documents);
      for (const eventName of hookEventNames.filter((name) => set.hooks[name].length === 0)) {
        const event = { eventName, input: { ...base, hook_event_name: eventName }, projectDir: '/' };
        expect(planOf(set, event)).toEqual({ stages: [], skipped: [], order: [] });
      }
    }),
  );
});
