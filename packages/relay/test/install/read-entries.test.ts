import { formOf } from '../../src/install/form-of.js';

const program = '/home/me/.local/share/tenterhook/bin/tenterhook-hook';

test.each([
  ['a program with arguments', { command: program, args: ['claude-code', 'Stop', '--closed'], timeout: 65 }, program, ['--closed'], 65],
  ['a shell command', { command: `'${program}' codex Stop --budget 3`, timeout: 5 }, program, ['--budget', '3'], 5],
  [
    'a program in a folder with blanks',
    { command: `'/my home/it'\\''s/tenterhook-hook' codex Stop` },
    "/my home/it's/tenterhook-hook",
    [],
    undefined,
  ],
  ['a shell command in the key shell', { type: 'shell', shell: `'${program}' eca Stop`, timeout: 65_000 }, program, [], 65_000],
  [
    'a program in PATH',
    { command: 'command -v tenterhook-hook >/dev/null 2>&1 || exit 0; exec tenterhook-hook codex Stop --project' },
    'tenterhook-hook',
    ['--project'],
    undefined,
  ],
])('reads %s', (_what, entry, named, options, timeout) => {
  const [read, ...others] = formOf('settings.json').readEntries(
    JSON.stringify({ hooks: { Stop: [{ hooks: [entry, { command: 'mine' }] }] } }),
  );
  expect(others).toEqual([]);
  expect([read?.program, read?.timeout]).toEqual([named, timeout]);
  expect(read?.words.slice(1)).toEqual(['Stop', ...options]);
});
