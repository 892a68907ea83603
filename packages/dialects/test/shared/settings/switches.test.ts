import type { Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { disabledHook, readDisabled } from '../../../src/shared/settings/switches.js';
import { guardOf } from '../output/invented-format.js';
import { inventedReporter } from './invented-document.js';

const document = (source: string, data: readonly string[], file?: string): ParsedSettings => ({
  source,
  hooks: [],
  diagnostics: [],
  data,
  ...(file === undefined ? {} : { file }),
});
const rules = {
  disabledBy: ({ data }: ParsedSettings) => data as readonly string[],
  mayDisable: (speaker: string) => speaker === 'user',
};
const guard: HookDefinition = guardOf('BeforeTool', 'call');

test.each(['guard', './guard.sh'])('a list that names %j disables the hook, and says where', (entry) => {
  const said: Diagnostic[] = [];
  expect(disabledHook(guard, [document('user', ['other', entry], '/u.json')], said, rules)?.skip).toEqual({
    skipReason: 'disabled',
    reason: `"${entry}" stands in hooksConfig.disabled of /u.json.`,
  });
  expect(said).toEqual([]);
});

test('a list that may not is said, and the next one counts', () => {
  const said: Diagnostic[] = [];
  expect(disabledHook(guard, [document('project', ['guard']), document('user', ['guard'])], said, rules)?.skip).toBeDefined();
  expect(said).toMatchObject([{ code: 'foreign_disable', severity: 'warning', source: 'project', hookId: guard.id }]);
});

test('what nobody names, and what does not run anyway, stays as it is', () => {
  const skip = { skipReason: 'invalid', reason: 'r' } as const;
  expect(disabledHook(guard, [document('user', ['other'])], [], rules)).toBeUndefined();
  expect(disabledHook({ ...guard, skip }, [document('user', ['guard'])], [], rules)).toBeUndefined();
});

test.each<[unknown, readonly string[], number]>([
  [undefined, [], 0],
  [['a'], ['a'], 0],
  [['a', 5], ['a'], 1],
  ['a', [], 1],
])('the list %j is read as %j', (disabled, expected, problems) => {
  const reporter = inventedReporter();
  expect(readDisabled({ hooksConfig: { disabled } }, reporter)).toEqual(expected);
  expect(reporter.diagnostics).toHaveLength(problems);
});
