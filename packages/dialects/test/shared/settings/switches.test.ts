import type { Diagnostic, HookDefinition, ParsedSettings } from '@tenterhook/protocol';
import { disabledHook, isGiven, levelOf, misspelledEntries, readDisabled, whereOf, wordOf } from '../../../src/shared/settings/switches.js';
import { guardOf } from '../output/invented-format.js';
import { inventedReporter } from './invented-document.js';

const document = (source: string, data?: number): ParsedSettings => ({ source, hooks: [], diagnostics: [], data });
const says = ({ data }: ParsedSettings) => data as number | undefined;

test('the first that has a word has it, a whole level where no source is named', () => {
  const all = [document('project'), { ...document('user', 1), file: '/u.json' }, document('settings:2', 2)];
  expect(wordOf(['project', 'user'], all, says)).toEqual({ value: 1, where: '/u.json', document: all[1] });
  expect(wordOf(['settings', 'user'], all, says)).toMatchObject({ value: 2, where: 'the settings "settings:2"' });
  expect(wordOf(['settings:1', 'project'], all, says)).toBeUndefined();
});

test('a word that is false is one', () => {
  expect(wordOf(['user', 'system'], [document('user'), document('system', 0)], says)).toMatchObject({ value: 0 });
});

test('sources have levels', () => {
  expect(['extension:a:b', 'settings:2', 'user'].map(levelOf)).toEqual(['extension', 'settings', 'user']);
  expect(['settings', 'settings:2', 'user'].map(isGiven)).toEqual([true, true, false]);
  expect(whereOf(document('settings'))).toBe('the settings "settings"');
});

const listing = (source: string, data: readonly string[], file?: string): ParsedSettings => ({
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
  expect(disabledHook(guard, [listing('user', ['other', entry], '/u.json')], said, rules)?.skip).toEqual({
    skipReason: 'disabled',
    reason: `"${entry}" is listed in hooksConfig.disabled of /u.json.`,
  });
  expect(said).toMatchObject([
    { code: 'disabled_hook', severity: 'note', file: '/u.json', path: 'hooksConfig.disabled[1]', hookId: guard.id },
  ]);
});

test('with its positions, the list is named with the line of the entry', () => {
  const said: Diagnostic[] = [];
  const list = { ...listing('user', ['guard'], '/u.json'), locate: () => ({ line: 4, column: 9 }) };
  const hook = { ...guard, file: '/p.json', line: 7 };
  expect(disabledHook(hook, [list], said, rules)?.skip?.reason).toBe('"guard" is listed in hooksConfig.disabled of /u.json:4.');
  expect(said).toMatchObject([
    { line: 4, column: 9, message: expect.stringContaining('/p.json:7'), remedy: 'Remove the entry to run it.' },
  ]);
});

test('a list that may not is said, and the next one counts', () => {
  const said: Diagnostic[] = [];
  expect(disabledHook(guard, [listing('project', ['guard']), listing('user', ['guard'])], said, rules)?.skip).toBeDefined();
  expect(said).toMatchObject([
    { code: 'foreign_disable', severity: 'warning', source: 'project', hookId: guard.id },
    { code: 'disabled_hook', severity: 'note', source: 'user', hookId: guard.id },
  ]);
});

test('what no list names, and what does not run anyway, stays as it is', () => {
  const skip = { skipReason: 'invalid', reason: 'r' } as const;
  expect(disabledHook(guard, [listing('user', ['other'])], [], rules)).toBeUndefined();
  expect(disabledHook({ ...guard, skip }, [listing('user', ['guard'])], [], rules)).toBeUndefined();
});

test.each<[unknown, readonly string[], number]>([
  [undefined, [], 0],
  [['a'], ['a'], 0],
  [['a', 5, 'b'], ['a', '', 'b'], 1],
  ['a', [], 1],
])('the list %j is read as %j', (disabled, expected, problems) => {
  const reporter = inventedReporter();
  expect(readDisabled({ hooksConfig: { disabled } }, reporter)).toEqual(expected);
  expect(reporter.diagnostics).toHaveLength(problems);
});

test('an entry that is nearly the name of a hook is reported; one that is the name of none, or its command, is not', () => {
  const owner = { ...listing('project', []), hooks: [{ ...guard, name: 'guard' }] };
  const list = { ...listing('user', ['gard', 'guard', './guard.sh', 'elsewhere', ''], '/u.json'), locate: () => ({ line: 4, column: 9 }) };
  expect(misspelledEntries([owner, list], rules.disabledBy)).toEqual([
    {
      code: 'unknown_hook',
      severity: 'warning',
      message: 'The list names "gard", and no hook has that name or command; it disables nothing.',
      remedy: 'Did you mean "guard"?',
      file: '/u.json',
      line: 4,
      column: 9,
      path: 'hooksConfig.disabled[0]',
      source: 'user',
      dialect: 'invented',
    },
  ]);
});
