import { documentOf, machine, parsed } from '../eca-rig.js';

const beside = '/home/me/.config/eca/hooks/g.sh';
const inWorkspace = '/srv/app/hooks/g.sh';
const userDocument = (file: unknown) =>
  documentOf({ hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', file }] } } }, 'user', '/home/me/.config/eca/config.json');

function commandOf(written: string, context = machine({ [beside]: 'ls' })) {
  const [hook] = parsed(undefined, context, userDocument(written)).hooks;
  return { skip: hook?.skip, ...(hook?.dialectData as { command: unknown }) };
}

test.each([
  ['beside the settings file', 'hooks/g.sh', { [beside]: 'ls', [inWorkspace]: 'ls' }, beside],
  ['in the workspace', 'hooks/g.sh', { [inWorkspace]: 'ls' }, inWorkspace],
  ['in the home directory', '~/g.sh', { '/home/me/g.sh': 'ls' }, '/home/me/g.sh'],
  ['at an absolute path', '/opt/g.sh', { '/opt/g.sh': 'ls' }, '/opt/g.sh'],
])('a script is found %s', (_, written, files, found) => {
  expect(commandOf(written, machine(files))).toMatchObject({
    skip: undefined,
    command: { kind: 'program', file: '/bin/bash', args: [found] },
  });
});

test('a script that is nowhere names every place', () => {
  const { hooks, diagnostics } = parsed(undefined, machine(), userDocument('hooks/g.sh'));
  // The hook runs nevertheless: the file may exist by then. If it does not, `onError` applies.
  expect(hooks[0]).toMatchObject({ action: { command: beside }, dialectData: { command: { kind: 'shell' } } });
  expect(hooks[0]?.skip).toBeUndefined();
  expect(diagnostics).toEqual([
    expect.objectContaining({
      code: 'missing_script',
      path: 'hooks.guard.actions[0].file',
      message: expect.stringContaining(`${beside} and ${inWorkspace}`),
    }),
  ]);
});

test('settings without a file have no place beside it', () => {
  const document = documentOf({ hooks: { g: { type: 'preToolCall', actions: [{ type: 'shell', file: 'g.sh' }] } } }, 'settings', '');
  const { file: _none, ...given } = document;
  expect(parsed(undefined, machine(), given).diagnostics[0]?.message).toContain('looked for /srv/app/g.sh.');
});

test('a script with a shebang and the executable bit is a program, and any other is of bash', () => {
  const script = '#!/usr/bin/env python3\n';
  const program = { kind: 'program', file: beside, args: [] };
  const ofBash = { kind: 'program', file: '/bin/bash', args: [beside] };
  const executable = ['/bin/bash', beside];
  expect(commandOf('hooks/g.sh', machine({ [beside]: script }, { executable })).command).toEqual(program);
  expect(commandOf('hooks/g.sh', machine({ [beside]: script })).command).toEqual(ofBash);
  expect(commandOf('hooks/g.sh', machine({ [beside]: 'ls' }, { executable })).command).toEqual(ofBash);
});

test('without a bash on PATH a script is of sh, and a folder of PATH that is relative has none', () => {
  const environment = { PATH: '.:bin:/usr/bin' };
  const executable = ['./bash', 'bin/bash', '/usr/bin/sh'];
  expect(commandOf('hooks/g.sh', machine({ [beside]: 'ls' }, { executable, environment })).command).toMatchObject({ file: '/usr/bin/sh' });
});

test.each([
  ['$HOME/g.sh', '~ is expanded'],
  ['hooks/g.sh --strict', 'write "shell"'],
])('of the missing file %s is said what to write', (written, remedy) => {
  expect(parsed(undefined, machine(), userDocument(written)).diagnostics[0]?.remedy).toContain(remedy);
});

test.each([
  ['#!/usr/bin/env python3', true],
  ['#!/usr/bin/node', true],
  ['#!/bin/bash', false],
  ['#!/usr/bin/env -S bash -e', false],
  ['#!/bin/sh\r', false],
  ['#!/usr/bin/zsh', true],
  ['ls', false],
])('a script that begins with %j and is not executable is reported: %s', (line, isTold) => {
  const codes = parsed(undefined, machine({ [beside]: `${line}\nx` }), userDocument('hooks/g.sh')).diagnostics.map(({ code }) => code);
  expect(codes).toEqual(isTold ? ['not_executable'] : []);
});

test('a script of the workspace that a user names is reported, and the host is asked about both', () => {
  const { hooks, diagnostics } = parsed(undefined, machine({ [inWorkspace]: 'ls' }), userDocument('hooks/g.sh'));
  expect(diagnostics).toEqual([expect.objectContaining({ code: 'workspace_script', severity: 'note' })]);
  expect(hooks[0]).toMatchObject({ source: 'user', codeSource: 'project' });
  const own = parsed(undefined, machine({ [inWorkspace]: 'ls' }), { ...userDocument('hooks/g.sh'), source: 'project' });
  expect(own.hooks[0]).not.toHaveProperty('codeSource');
});

test('the directory of an extension is where its scripts are', () => {
  const document = { ...userDocument('g.sh'), source: 'extension:x', directory: '/opt/x' };
  expect(parsed(undefined, machine({ '/opt/x/g.sh': 'ls' }), document).hooks[0]?.action).toEqual({
    kind: 'command',
    command: '/opt/x/g.sh',
  });
});

test('a script that is missing in the workspace is of the workspace, too, when it comes', () => {
  const { file: _none, ...given } = { ...userDocument('late.sh'), source: 'settings' };
  expect(parsed(undefined, machine(), given).hooks[0]).toMatchObject({ source: 'settings', codeSource: 'project' });
});
