import { llxprt } from '@tenterhook/dialects';
import { duplicateHooks } from '../../../src/settings/checks/duplicate-hooks.js';
import { toDocument } from '../../../src/settings/read/read-document.js';

const dialect = llxprt();
const context = {
  projectDir: '/srv/app',
  home: '/home/me',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

function hooksOf(source: string, ...hooks: readonly { readonly matcher?: string; readonly [field: string]: unknown }[]) {
  const groups = hooks.map(({ matcher, ...hook }) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }));
  const file = `/srv/${source}.json`;
  const document = { ...toDocument({ hooks: { BeforeTool: groups } }, source), file, locate: () => ({ line: source.length, column: 1 }) };
  return dialect.parse(document, context).hooks;
}

test('of the same hook in two files the first runs, and the note is at the other, with both lines', () => {
  const [user, project] = [hooksOf('user', { name: 'guard', command: 'x' }), hooksOf('project', { name: 'guard', command: 'x' })];
  expect(duplicateHooks([...project, ...user])).toEqual([
    {
      code: 'duplicate_hook',
      severity: 'note',
      message: 'The same hook is in /srv/project.json:7. Only that copy runs. It has the settings of this copy, whose level is higher.',
      remedy: 'Remove one of them, or give this one another name if both are to run.',
      file: '/srv/user.json',
      line: 4,
      column: 1,
      path: 'hooks.BeforeTool[0].hooks[0]',
      dialect: 'llxprt',
      source: 'user',
      eventName: 'BeforeTool',
      hookId: 'llxprt/user/BeforeTool/guard',
    },
  ]);
});

test('a copy with another timeout says which one counts; a hook without a name cannot get another one', () => {
  const [note] = duplicateHooks(hooksOf('user', { command: 'x', timeout: 5000 }, { command: 'x', timeout: 6000 }));
  expect(note).toMatchObject({ message: expect.stringContaining('the stricter value is used'), remedy: 'Remove one of them.' });
});

test('hooks that are for other calls, that differ, or that do not run are not copies', () => {
  const same = { name: 'guard', command: 'x' };
  expect(duplicateHooks(hooksOf('user', { ...same, matcher: 'a' }, { ...same, matcher: 'b' }))).toEqual([]);
  expect(
    duplicateHooks(hooksOf('user', same, { ...same, name: 'other' }, { ...same, command: 'y' }, { ...same, env: { A: 'b' } })),
  ).toEqual([]);
  expect(duplicateHooks(hooksOf('user', { ...same, type: 'odd' }, { ...same, type: 'odd' }))).toEqual([]);
});

test('of many copies ten are listed and the rest is counted', () => {
  const notes = duplicateHooks(hooksOf('user', ...Array.from({ length: 14 }, () => ({ command: 'x' }))));
  expect(notes).toHaveLength(11);
  expect(notes.at(-1)?.message).toBe('3 more hooks are configured twice.');
});
