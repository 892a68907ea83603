import type { Diagnostic, HookDefinition, ParsedDocument, SettingsDocument } from '@tenterhook/protocol';
import { getMaxSettingsBytes, readWithinLimits } from '../../src/registry/document-limits.js';
import { limitDiagnostics } from '../../src/registry/limit-diagnostics.js';

const at = (path: readonly (string | number)[]) => ({ line: Number(path.at(-1)), column: 1 });
const documentOf = (source: string): SettingsDocument => ({ source, file: `/${source}.json`, value: {}, locate: at });
const hook = {} as HookDefinition;
const everything: ParsedDocument = { hooks: Array(1_001).fill(hook), diagnostics: [] };
const levelsOfRepositories = ['project', 'local', 'extension:x', 'plugin:x', 'a name that is not known'];

test.each(['user', 'managed', 'system', 'settings', 'settings:2'])('settings of the source %s have no limits', (source) => {
  const parsed = readWithinLimits('north', documentOf(source), (document) => {
    expect(document.budget).toBeUndefined();
    return everything;
  });
  expect(parsed).toBe(everything);
  expect(getMaxSettingsBytes(source)).toBe(8 * 1024 * 1024);
});

test.each(levelsOfRepositories)('a document of the source %s has 1000 hooks, or none counts', (source) => {
  const read = (hooks: number) =>
    readWithinLimits('north', documentOf(source), ({ budget }) => {
      for (let index = 1; index <= hooks; index += 1) budget?.countHook(['hooks', index]);
      return { hooks: [hook], diagnostics: [] };
    });
  expect(read(1_000)).toEqual({ hooks: [hook], diagnostics: [] });
  const file = `/${source}.json`;
  expect(getMaxSettingsBytes(source)).toBe(1024 * 1024);
  const refused = readWithinLimits('north', documentOf(source), ({ budget }) => {
    try {
      for (let index = 1; ; index += 1) budget?.countHook(['hooks', index]);
    } catch {
      return { hooks: [hook], diagnostics: [] };
    }
  });
  expect(refused).toEqual({
    hooks: [],
    isUnusable: true,
    diagnostics: [
      {
        code: 'settings_too_large',
        severity: 'error',
        message: 'The file has more than 1000 hooks. Invalid groups and unknown events count as hooks. Nothing in these settings is used.',
        remedy: 'Remove hooks, or move them to the settings of the user, which have no such limit.',
        dialect: 'north',
        source,
        file,
        path: 'hooks[1001]',
        line: 1001,
        column: 1,
      },
    ],
  });
});

test('a format of a program that does not count is limited by its hooks and its list of URLs', () => {
  expect(readWithinLimits('north', documentOf('project'), () => everything)).toMatchObject({
    hooks: [],
    diagnostics: [{ code: 'settings_too_large', file: '/project.json' }],
  });
  const allowedUrls = { value: Array(1_001).fill('https://a/*'), path: ['urls'] };
  expect(
    readWithinLimits('north', documentOf('project'), () => ({ hooks: [hook], diagnostics: [], switches: { allowedUrls } })),
  ).toMatchObject({
    hooks: [],
    diagnostics: [{ message: expect.stringContaining('1001 patterns of URLs'), path: 'urls' }],
  });
});

test('patterns are counted by their instructions, and problems by their number', () => {
  const patterns = (instructions: number) =>
    readWithinLimits('north', documentOf('project'), ({ budget }) => {
      try {
        budget?.countPattern(50_000, [1]);
        budget?.countPattern(instructions, [2]);
        for (let index = 1; index <= 5_000; index += 1) budget?.countDiagnostic([3]);
      } catch {}
      return { hooks: [], diagnostics: [] };
    });
  expect(patterns(50_000).diagnostics).toEqual([]);
  expect(patterns(50_001).diagnostics).toMatchObject([{ line: 2, message: expect.stringContaining('100000 instructions') }]);
  const problems = readWithinLimits('north', documentOf('project'), ({ budget }) => {
    try {
      for (let index = 1; ; index += 1) budget?.countDiagnostic([index]);
    } catch {}
    return { hooks: [hook], diagnostics: [] };
  });
  expect(problems).toMatchObject({
    hooks: [],
    diagnostics: [{ line: 5_001, message: expect.stringContaining('more than 5000 problems') }],
  });
});

describe('diagnostics of a document', () => {
  const said = (source: string, severity: Diagnostic['severity'], line: number, file = `/${source}.json`): Diagnostic => ({
    code: 'invalid_field',
    severity,
    message: `${severity} ${line}`,
    source,
    file,
    line,
  });
  const many = (source: string, severity: Diagnostic['severity'], number: number) =>
    Array.from({ length: number }, (_, index) => said(source, severity, index + 1));

  test('a hundred of a repository are all reported, in their order', () => {
    const all = [...many('project', 'note', 50), ...many('project', 'error', 50)];
    expect(limitDiagnostics(all)).toEqual(all);
  });

  test('of more, errors are kept before warnings before notes; each file for itself', () => {
    const notes = many('project', 'note', 60);
    const [warnings, errors] = [many('project', 'warning', 30), many('project', 'error', 70)];
    const others = [...many('local', 'error', 100), ...many('user', 'note', 300), { ...said('project', 'note', 1), file: '/other.json' }];
    expect(limitDiagnostics([...notes, ...warnings, ...errors, ...others])).toEqual([
      ...warnings,
      ...errors,
      ...others,
      {
        code: 'more_diagnostics',
        severity: 'note',
        message: '60 more problems are not shown. The first of them is in this line.',
        remedy: 'Correct the problems that are shown.',
        source: 'project',
        file: '/project.json',
        line: 1,
      },
    ]);
    expect(limitDiagnostics(many('local', 'error', 101)).at(-1)).toMatchObject({
      severity: 'error',
      line: 101,
      message: '1 more problem is not shown. The first of them is in this line.',
    });
  });

  test('what is not about a file of a repository is kept', () => {
    const all = Array.from({ length: 200 }, (): Diagnostic => ({ code: 'unknown_dialect', severity: 'error', message: 'a' }));
    expect(limitDiagnostics(all)).toEqual(all);
  });
});
