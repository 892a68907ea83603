import type { Diagnostic } from '@tenterhook/protocol';
import { countDiagnostics, renderDiagnosticLines } from '../../../src/output/reports/diagnostic-lines.js';
import { plainStyle } from '../../../src/output/reports/report-style.js';
import { createPaint } from '../../../src/output/terminal/palette.js';
import type { SettingsFile } from '../../../src/settings/read/read-settings-file.js';

const colourful = { ...plainStyle, paint: createPaint(true) };

const file = (path: string, dialect: string, state: SettingsFile['state'] = 'read'): SettingsFile => ({
  file: path,
  source: 'project',
  dialect,
  state,
});
const diagnostic = (severity: Diagnostic['severity'], more: Partial<Diagnostic> = {}): Diagnostic => ({
  code: 'invalid_hook',
  severity,
  message: 'What happened.',
  remedy: 'Do this.',
  ...more,
});
const north = { dialect: 'north', file: '/a.json', line: 3 };
const south = { dialect: 'south', file: '/b.json', line: 5, path: 'hooks.x' };

test('with one dialect a line is the severity, the place, what happened and what to do', () => {
  const files = [file('/a.json', 'north'), file('/b.json', 'south', 'missing')];
  expect(renderDiagnosticLines([diagnostic('error', north), diagnostic('note')], files, plainStyle)).toEqual([
    'error   /a.json:3  What happened. Do this.',
    'note    What happened. Do this.',
  ]);
});

const several: Record<string, readonly [diagnostics: Diagnostic[], files: SettingsFile[]]> = {
  'files of two were found': [[diagnostic('warning', south)], [file('/a.json', 'north'), file('/b.json', 'south', 'broken')]],
  'there is something to say of two': [[diagnostic('note', north), diagnostic('warning', south)], [file('/a.json', 'north')]],
};

test.each(Object.entries(several))('each line names its dialect when %s', (_, [diagnostics, files]) => {
  expect(renderDiagnosticLines(diagnostics, files, plainStyle).at(-1)).toBe('warning [south] /b.json:5  hooks.x: What happened. Do this.');
});

test('what belongs to no dialect names none', () => {
  const files = [file('/a.json', 'north'), file('/b.json', 'south')];
  expect(renderDiagnosticLines([diagnostic('note')], files, plainStyle)).toEqual(['note    What happened. Do this.']);
});

test('text of settings is escaped and bounded, and colours only where there are any', () => {
  const hostile = diagnostic('error', { message: `\u001b[2J${'x'.repeat(10_000)}`, dialect: '\u001b[2J', file: '/a' });
  const [line = ''] = renderDiagnosticLines([hostile, diagnostic('error', north)], [], plainStyle);
  expect(line).not.toContain('\u001b');
  expect(line.length).toBeLessThan(1_200);
  expect(renderDiagnosticLines([diagnostic('warning')], [], colourful)[0]).toMatch(/^\u001b\[33mwarning\u001b\[39m What/);
});

test('a count of each severity, in the number that it is', () => {
  const many = [diagnostic('error'), diagnostic('note'), diagnostic('note')];
  expect(countDiagnostics(many)).toBe('1 error, 0 warnings, 2 notes');
});
