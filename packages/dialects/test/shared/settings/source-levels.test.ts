import type { ParsedSettings } from '@tenterhook/protocol';
import { isGiven, levelOf, whereOf, wordOf } from '../../../src/shared/settings/source-levels.js';

const document = (source: string, data?: number): ParsedSettings => ({ source, hooks: [], diagnostics: [], data });
const says = ({ data }: ParsedSettings) => data as number | undefined;

test('the first that has a word has it, a whole level where no source is named', () => {
  const all = [document('project'), { ...document('user', 1), file: '/u.json' }, document('settings:2', 2)];
  expect(wordOf(['project', 'user'], all, says)).toEqual({ value: 1, where: '/u.json' });
  expect(wordOf(['settings', 'user'], all, says)).toEqual({ value: 2, where: 'the settings "settings:2"' });
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
