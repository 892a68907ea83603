import type { HookEvent, HookEventName, HookSource } from '@tenterhook/protocol';
import { HookRegistry } from '../../src/registry/registry.js';
import { fakeDialect, hookOf, sourceOf, toolEvent } from '../engine-rig.js';

const dialects = [fakeDialect()];

/** A source that counts how often it is asked for the hooks of BeforeTool. */
function counting(hooks = [hookOf('a')]) {
  const source = sourceOf(hooks);
  let asked = 0;
  const hooksFor = (eventName: HookEventName) => {
    if (eventName === 'BeforeTool') asked += 1;
    return source.hooksFor(eventName);
  };
  return { source, counted: { ...source, hooksFor }, asked: () => asked };
}

test('after many changes the set is made once, when it is asked for', () => {
  const { source, counted, asked } = counting();
  const registry = new HookRegistry({ dialects, sources: [counted] });
  expect(asked()).toBe(1);
  for (let each = 0; each < 1000; each += 1) source.swap([hookOf(`h${each}`)]);
  expect(asked()).toBe(1);
  expect(registry.has('BeforeTool')).toBe(true);
  expect(registry.current.hooks.BeforeTool.map(({ id }) => id)).toEqual(['h999']);
  expect(registry.current).toBe(registry.current);
  expect(asked()).toBe(2);
});

test('has() follows a change even if the set was not read since', () => {
  const source = sourceOf([]);
  const registry = new HookRegistry({ dialects, sources: [source] });
  expect(registry.has('BeforeTool')).toBe(false);
  source.swap([hookOf('a')]);
  expect([registry.has('BeforeTool'), registry.has('AfterTool'), registry.has('toString')]).toEqual([true, false, false]);
});

test('a source that fails leaves the last good set in force, and is asked again after its next change', () => {
  const source = sourceOf([hookOf('a')]);
  let isBroken = false;
  const hooksFor = (eventName: HookEventName) => {
    if (isBroken) throw new Error('broken');
    return source.hooksFor(eventName);
  };
  const registry = new HookRegistry({ dialects, sources: [{ ...source, hooksFor }] });
  const before = registry.current;
  isBroken = true;
  source.swap([hookOf('b')]);
  expect(registry.current).toBe(before);
  expect(registry.has('BeforeTool')).toBe(true);
  isBroken = false;
  source.swap([hookOf('c')]);
  expect(registry.current.hooks.BeforeTool.map(({ id }) => id)).toEqual(['c']);
});

/** A source without hooks that wants to see some events. */
function observing(names: readonly HookEventName[], more: Partial<HookSource> = {}) {
  const seen: HookEvent[] = [];
  const observe = (event: HookEvent) => {
    seen.push(event);
  };
  return { seen, source: sourceOf([], { observes: (eventName) => names.includes(eventName), observe, ...more }) };
}

test('has() is true for an event that a source observes, without a hook', () => {
  const { seen, source } = observing(['BeforeTool']);
  const registry = new HookRegistry({ dialects, sources: [source, sourceOf([])] });
  expect([registry.has('BeforeTool'), registry.has('AfterTool'), registry.has('nothing')]).toEqual([true, false, false]);
  expect([registry.isObserved('BeforeTool'), registry.isObserved('AfterTool')]).toEqual([true, false]);
  registry.observe(toolEvent);
  registry.observe({ ...toolEvent, eventName: 'AfterTool' });
  expect(seen).toEqual([toolEvent]);
});

test('a source that cannot observe affects no other', () => {
  const broken = observing(['BeforeTool'], {
    observe: () => {
      throw new Error('broken');
    },
  });
  const { seen, source } = observing(['BeforeTool']);
  const registry = new HookRegistry({ dialects, sources: [broken.source, source] });
  registry.observe(toolEvent);
  expect(seen).toEqual([toolEvent]);
});

test('two sources may bring one dialect', () => {
  const dialect = fakeDialect({ name: 'handlers' });
  const sources = ['a', 'b'].map((id) => sourceOf([hookOf(id, { dialect: 'handlers' })], { dialect }));
  const { dialects: loaded, hooks } = new HookRegistry({ dialects, sources }).current;
  expect(loaded.map(({ name }) => name)).toEqual(['handlers', 'fake']);
  expect(hooks.BeforeTool.map(({ id }) => id)).toEqual(['a', 'b']);
});
