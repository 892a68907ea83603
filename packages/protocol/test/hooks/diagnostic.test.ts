import { type Diagnostic, formatDiagnostic } from '../../src/hooks/diagnostic.js';

const said = { code: 'invalid_timeout', severity: 'error', message: '"5s" is not a number of milliseconds. Using 60000.' } as const;

const lines: Record<string, [Diagnostic, string]> = {
  'file, line, column, path, message and remedy are in one line': [
    { ...said, file: '.llxprt/settings.json', line: 14, column: 9, path: 'hooks.BeforeTool[1].hooks[0].timeout', remedy: 'Write 5000.' },
    '.llxprt/settings.json:14:9  hooks.BeforeTool[1].hooks[0].timeout: "5s" is not a number of milliseconds. Using 60000. Write 5000.',
  ],
  'settings without a file have a path only': [{ ...said, path: 'hooks' }, `hooks: ${said.message}`],
  'a file without a line has no colon after it': [{ ...said, file: 'a.json' }, `a.json  ${said.message}`],
  'the path of the whole document is not shown': [{ ...said, path: '' }, said.message],
};

test.each(Object.entries(lines))('%s', (_, [diagnostic, expected]) => {
  expect(formatDiagnostic(diagnostic)).toBe(expected);
});
