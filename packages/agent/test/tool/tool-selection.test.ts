import type { AggregatedHookResult, HookToolConfig } from '@tenterhook/protocol';
import fc from 'fast-check';
import {
  narrowSelection,
  readRequestSelection,
  readSelection,
  refuseBySelection,
  type ToolSelection,
} from '../../src/tool/tool-selection.js';

const resultWith = (hookSpecificOutput: Record<string, unknown>, ...changes: [path: string, hookId: string][]) =>
  ({
    finalOutput: { hookSpecificOutput },
    changes: changes.map(([path, hookId]) => ({ path, hookId })),
  }) as unknown as AggregatedHookResult;

test('what BeforeToolSelection chose, and who', () => {
  expect(readSelection(undefined)).toBeUndefined();
  expect(readSelection(resultWith({}))).toBeUndefined();
  const toolConfig: HookToolConfig = { mode: 'ANY', allowedFunctionNames: ['a'] };
  const changes: [string, string][] = [
    ['toolConfig.mode', 'h1'],
    ['toolConfig.allowedFunctionNames', 'h2'],
    ['toolConfig.mode', 'h2'],
  ];
  expect(readSelection(resultWith({ toolConfig }, ...changes))).toEqual({ ...toolConfig, by: ['h1', 'h2'] });
});

test('what BeforeModel wrote into the request counts only where a hook wrote it', () => {
  const llm_request = { toolConfig: { mode: 'NONE' } };
  expect(readRequestSelection(resultWith({ llm_request }, ['llm_request.config.topP', 'h1']))).toBeUndefined();
  expect(readRequestSelection(resultWith({ llm_request: {} }, ['llm_request.toolConfig', 'h1']))).toBeUndefined();
  expect(readRequestSelection(resultWith({ llm_request }, ['llm_request.toolConfig', 'h1']))).toEqual({ mode: 'NONE', by: ['h1'] });
});

test('what BeforeModel wrote counts also where the request is reported as a whole, and only for the hook that wrote it', () => {
  const toolConfig = { mode: 'NONE' };
  const result = {
    finalOutput: { hookSpecificOutput: { llm_request: { toolConfig } } },
    changes: [
      { path: 'llm_request', hookId: 'h1', before: { model: 'm' }, after: { toolConfig } },
      { path: 'llm_request', hookId: 'h2', before: { toolConfig }, after: { toolConfig: { mode: 'NONE' }, more: 1 } },
      { path: 'llm_request', hookId: 'h3', after: { model: 'm' } },
    ],
  } as unknown as AggregatedHookResult;
  expect(readRequestSelection(result)).toEqual({ mode: 'NONE', by: ['h1'] });
});

const names = ['a', 'b', 'c', 'd'];
const selections = fc.option(
  fc.record<ToolSelection>(
    { mode: fc.constantFrom('AUTO', 'ANY', 'NONE'), allowedFunctionNames: fc.subarray(names), by: fc.subarray(['h1', 'h2']) },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const allowed = (selection: ToolSelection | undefined) => names.filter((name) => refuseBySelection(name, selection) === undefined);

test('two selections together allow what both allow, whatever their order', () => {
  fc.assert(
    fc.property(selections, selections, (one, other) => {
      const both = allowed(one).filter((name) => allowed(other).includes(name));
      expect(allowed(narrowSelection(one, other))).toEqual(both);
      expect(allowed(narrowSelection(other, one))).toEqual(both);
    }),
  );
});

test('NONE empties the list, the stricter mode counts, and everybody is named', () => {
  expect(narrowSelection({ mode: 'ANY', by: ['h1'] }, { mode: 'NONE', allowedFunctionNames: ['a'], by: ['h2'] })).toEqual({
    mode: 'NONE',
    allowedFunctionNames: [],
    by: ['h1', 'h2'],
  });
  expect(narrowSelection({ mode: 'ANY' }, { mode: 'AUTO' })).toMatchObject({ mode: 'ANY' });
  expect(narrowSelection({ allowedFunctionNames: ['a', 'b'] }, { mode: 'ANY' })).toMatchObject({
    mode: 'ANY',
    allowedFunctionNames: ['a', 'b'],
  });
});

test.each<[ToolSelection | undefined, string | undefined]>([
  [undefined, undefined],
  [{}, undefined],
  [{ mode: 'ANY' }, undefined],
  [{ allowedFunctionNames: ['t'] }, undefined],
  [{ allowedFunctionNames: ['T'], by: ['h1'] }, 'Hook "h1" allows only T for this request, so t did not run.'],
  [{ allowedFunctionNames: [], by: ['h1', 'h2'] }, 'Hook "h1", "h2" allows no tool for this request, so t did not run.'],
  [{ mode: 'NONE', allowedFunctionNames: ['t'] }, 'A hook allows no tool for this request, so t did not run.'],
])('%j: %s', (selection, refusal) => {
  expect(refuseBySelection('t', selection)).toBe(refusal);
});
