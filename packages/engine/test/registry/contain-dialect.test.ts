import type { Dialect, DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { containDialect } from '../../src/registry/contain-dialect.js';
import { hookOf, toolEvent } from '../engine-rig.js';

const context = undefined as unknown as DialectContext;
const document: SettingsDocument = { source: 'project', file: '/srv/app/hooks.json', value: {}, locate: () => undefined };
const oops = () => {
  throw new Error('oops');
};
const exit = { kind: 'answered', answer: undefined, durationMs: 0 } as const;

/** A dialect in which everything throws. */
const broken: Dialect = {
  name: 'broken',
  locations: oops,
  lookalikes: oops,
  claims: oops,
  eventsIn: oops,
  extensionFiles: oops,
  parse: oops,
  combine: oops,
  configure: oops,
  layOut: oops,
  select: oops,
  invocation: oops,
  decode: oops,
  denied: oops,
};
const contained = containDialect(broken);
const diagnostic = {
  code: 'dialect_failed',
  severity: 'error',
  message: 'The dialect "broken" failed to read the settings, so they are ignored (oops).',
  remedy: 'Report it to the author of the dialect.',
  dialect: 'broken',
};

test('a document that cannot be parsed has no hooks, and a diagnostic with its place', () => {
  expect(contained.parse(document, context)).toEqual({
    hooks: [],
    diagnostics: [{ ...diagnostic, source: 'project', file: '/srv/app/hooks.json' }],
    isUnusable: true,
  });
});

test('documents that cannot be combined have no hooks, and a diagnostic', () => {
  const parsed = [{ source: 'user', hooks: [hookOf('a')], diagnostics: [] }];
  expect(contained.combine?.(parsed)).toEqual({ hooks: [], off: [], diagnostics: [diagnostic] });
});

test('a dialect without rules across documents combines all hooks, in order', () => {
  const { combine: _, ...without } = broken;
  const parsed = [hookOf('a'), hookOf('b')].map((hook) => ({ source: 'user', hooks: [hook], diagnostics: [] }));
  expect(containDialect(without).combine?.(parsed)).toEqual({ hooks: [hookOf('a'), hookOf('b')], off: [], diagnostics: [] });
});

test('what is only looked for is not found', () => {
  expect([
    contained.lookalikes?.(context),
    contained.claims?.('/a', context),
    contained.eventsIn?.({}),
    contained.extensionFiles?.('/a'),
  ]).toEqual([[], undefined, [], []]);
});

test('hooks without an order run one after another, and a hook that cannot be selected runs', () => {
  const hooks = [hookOf('a'), hookOf('b')];
  expect(contained.layOut(hooks)).toEqual([{ hooks: [hooks[0]] }, { hooks: [hooks[1]] }]);
  expect(contained.select(hookOf('a'), toolEvent)).toEqual({
    run: true,
    reason: 'the dialect "broken" could not decide whether the hook runs, so it runs: Error: oops',
    undecided: true,
  });
});

test('a hook that is left out runs last; one that is made up does not run, and one that is named twice runs once', () => {
  const [a, b, c] = [hookOf('a'), hookOf('b'), hookOf('c')];
  const confused = containDialect({ ...broken, layOut: () => [{ hooks: [c, hookOf('made up')] }, { hooks: [] }, { hooks: [c, a] }] });
  expect(confused.layOut([a, b, c])).toEqual([{ hooks: [c] }, { hooks: [a] }, { hooks: [b] }]);
});

test('a hook that cannot be configured stays as it is', () => {
  const hook = hookOf('a');
  expect(contained.configure(hook, [])).toBe(hook);
});

test('a deny that cannot be extended is a deny', () => {
  const output = { decision: 'deny' as const, reason: 'no' };
  expect(contained.denied?.(output, hookOf('a'))).toBe(output);
});

test('where files are, and what a hook does, is not contained: each has one place where it is', () => {
  expect(() => contained.locations(context)).toThrow('oops');
  expect(() => contained.invocation(toolEvent, hookOf('a'), {})).toThrow('oops');
  expect(() => contained.decode(exit, toolEvent, hookOf('a'))).toThrow('oops');
});

test('a dialect is contained once, and a contained one is its own', () => {
  expect(containDialect(broken)).toBe(contained);
  expect(containDialect(contained)).toBe(contained);
});

test('methods that a dialect does not have are not made up, but for combine and configure', () => {
  const { lookalikes: _l, claims: _c, eventsIn: _e, extensionFiles: _f, combine: _m, configure: _o, denied: _d, ...small } = broken;
  expect(Object.keys(containDialect(small)).sort()).toEqual(
    ['combine', 'configure', 'decode', 'invocation', 'layOut', 'locations', 'name', 'parse', 'select'].sort(),
  );
});

test('an instance of a class keeps its private fields', () => {
  class Private {
    readonly name = 'private';
    readonly #answer = { run: true, reason: 'private' } as const;
    locations = () => [];
    parse = () => ({ hooks: [], diagnostics: [] });
    layOut = () => [];
    invocation = oops;
    decode = oops;
    select() {
      return this.#answer;
    }
    eventsIn() {
      return [this.#answer.reason];
    }
  }
  const own = containDialect(new Private());
  expect([own.select(hookOf('a'), toolEvent).reason, own.eventsIn?.({})]).toEqual(['private', ['private']]);
});

test('the properties that are not methods are kept', () => {
  const values = {
    agent: 'Broken',
    agentVariables: ['BROKEN'],
    events: { Before: 'BeforeTool' },
    contextLimit: 7,
    detachField: 'async',
  } as const;
  expect(containDialect({ ...broken, ...values })).toMatchObject(values);
});
