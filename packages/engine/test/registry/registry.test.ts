import type { Diagnostic } from '@tenterhook/protocol';
import { HookRegistry } from '../../src/registry/registry.js';
import { fakeDialect, hookOf, sourceOf } from '../engine-rig.js';

const dialects = [fakeDialect()];

test('all sources add up in their order, event by event, and clashing ids become unique (decision 23)', () => {
  const registry = new HookRegistry({
    dialects,
    sources: [sourceOf([hookOf('a'), hookOf('x', { eventName: 'AfterTool' })]), sourceOf([hookOf('a'), hookOf('b')])],
  });
  const { hooks } = registry.current;
  expect(hooks.BeforeTool.map((hook) => hook.id)).toEqual(['a', 'a~2', 'b']);
  expect(hooks.AfterTool.map((hook) => hook.id)).toEqual(['x']);
  expect(hooks.SessionEnd).toEqual([]);
});

test('a change swaps the whole set; who holds the one before keeps it', () => {
  const source = sourceOf([hookOf('a')]);
  const registry = new HookRegistry({ dialects, sources: [source] });
  const before = registry.current;
  source.swap([hookOf('b'), hookOf('c')]);
  expect(registry.current).not.toBe(before);
  expect(registry.current.hooks.BeforeTool.map((hook) => hook.id)).toEqual(['b', 'c']);
  expect(before.hooks.BeforeTool.map((hook) => hook.id)).toEqual(['a']);
});

test('after dispose() no source is listened to', () => {
  const source = sourceOf([hookOf('a')]);
  const registry = new HookRegistry({ dialects, sources: [source] });
  registry.dispose();
  expect(source.observers).toBe(0);
  source.swap([]);
  expect(registry.current.hooks.BeforeTool).toHaveLength(1);
});

test('a source that the host does not trust is skipped with its file, never in silence', () => {
  const registry = new HookRegistry({
    dialects,
    sources: [sourceOf([hookOf('a', { source: 'project', file: '/p.json' }), hookOf('b', { source: 'user' })])],
    isTrusted: (source) => source !== 'project',
  });
  const [a, b] = registry.current.hooks.BeforeTool;
  expect(a?.skip).toEqual({ skipReason: 'untrusted', reason: expect.stringContaining('/p.json') });
  expect(b).not.toHaveProperty('skip');
});

test('a hook that is skipped for another reason keeps it, and the host is not asked', () => {
  const skip = { skipReason: 'disabled', reason: 'r' } as const;
  const asked: string[] = [];
  const registry = new HookRegistry({
    dialects,
    sources: [sourceOf([hookOf('a', { skip }), hookOf('b')])],
    isTrusted: (_, hook) => asked.push(hook.id) > 0,
  });
  expect(registry.current.hooks.BeforeTool[0]?.skip).toEqual(skip);
  expect(asked).toEqual(['b']);
});

test('hooks of a dialect that is not loaded do not run, and a diagnostic says what is', () => {
  const diagnostic: Diagnostic = { code: 'invalid_hook', severity: 'error', message: 'of the source' };
  const sources = [
    sourceOf([hookOf('a', { dialect: 'eca' }), hookOf('b', { dialect: 'eca' }), hookOf('c')], { diagnostics: [diagnostic] }),
  ];
  const { hooks, diagnostics } = new HookRegistry({ dialects, sources }).current;
  expect(hooks.BeforeTool.map((hook) => hook.id)).toEqual(['c']);
  expect(diagnostics).toEqual([
    diagnostic,
    expect.objectContaining({
      code: 'unknown_dialect',
      message: expect.stringContaining('"eca"'),
      remedy: expect.stringContaining('fake'),
    }),
  ]);
});

test('the dialect of a source comes before those that are registered', () => {
  const own = fakeDialect({ name: 'handlers' });
  const registry = new HookRegistry({ dialects, sources: [sourceOf([], { dialect: own }), sourceOf([])] });
  expect(registry.current.dialects.map((dialect) => dialect.name)).toEqual(['handlers', 'fake']);
});

test('hooks that are off are kept apart, by event', () => {
  const off = [{ hook: hookOf('a'), reason: 'off' }];
  const registry = new HookRegistry({
    dialects,
    sources: [sourceOf([], { offFor: (eventName) => (eventName === 'BeforeTool' ? off : []) })],
  });
  expect(registry.current.off.BeforeTool).toEqual(off);
  expect(registry.current.off.AfterTool).toEqual([]);
});
