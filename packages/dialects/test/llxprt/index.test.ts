import { type DialectContext, HookEventName, hookEventNames } from '@tenterhook/protocol';
import { llxprt, llxprtSettingsSchema } from '../../src/index.js';
import { machine } from '../eca/eca-rig.js';
import { eventOf } from '../event-of.js';
import { dialect, hookOf, hooksOf, parsed } from './llxprt-rig.js';

const context: DialectContext = {
  projectDir: '/srv/app',
  home: '/home/me',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

test('its events are the canonical ones', () => {
  expect(dialect.name).toBe('llxprt');
  expect(dialect.events).toEqual(HookEventName);
});

test('of the events it reads, those that it shares with Claude Code do not make settings its own', () => {
  const hooks = Object.fromEntries([...hookEventNames, 'Stop'].map((eventName) => [eventName, [{ hooks: [{ command: 'a' }] }]]));
  expect(parsed({ hooks }).hooks.map(({ eventName }) => eventName)).toEqual(hookEventNames);
  expect(dialect.eventsIn?.({ hooks })).toEqual(hookEventNames.slice(0, 13));
  for (const other of [{ hooks: { PermissionRequest: [] } }, { hooks: null }, {}, null, 7]) expect(dialect.eventsIn?.(other)).toEqual([]);
});

test('it looks for project, user and system settings, in this order (decision 24)', () => {
  expect(dialect.locations(context)).toEqual([
    { source: 'project', file: '/srv/app/.llxprt/settings.json' },
    { source: 'user', file: '/home/me/.llxprt/settings.json' },
    { source: 'system', file: '/etc/llxprt-code/settings.json' },
  ]);
  expect(llxprt({ systemFile: '/opt/x.json' }).locations(context)[2]).toEqual({ source: 'system', file: '/opt/x.json' });
});

const stdinOf = (event: ReturnType<typeof eventOf>, fields = {}) => {
  const invocation = dialect.invocation(event, hookOf(fields, event.eventName), { PATH: '/bin', LLXPRT_PROJECT_DIR: 'stale', A: 'parent' });
  if (invocation.kind !== 'command') throw new Error(invocation.kind);
  return invocation;
};

test('a hook is its command as written, with the event on stdin and three variables in its environment (decision 30)', () => {
  const event = eventOf('BeforeTool', { tool_name: 'write_file', tool_input: { path: 'a' }, cwd: '/srv/app/sub' });
  const invocation = stdinOf(event, { command: '"$LLXPRT_PROJECT_DIR"/x.sh ~', env: { A: 'own', GEMINI_PROJECT_DIR: 'mine' } });
  expect(invocation).toMatchObject({ command: { kind: 'shell', text: '"$LLXPRT_PROJECT_DIR"/x.sh ~' }, cwd: '/srv/app/sub' });
  expect(invocation.env).toEqual({
    PATH: '/bin',
    A: 'own',
    LLXPRT_PROJECT_DIR: '/srv/app',
    GEMINI_PROJECT_DIR: 'mine',
    CLAUDE_PROJECT_DIR: '/srv/app',
  });
  expect(JSON.parse(invocation.stdin)).toEqual(event.input);
});

test('BeforeAgent: the next hook sees the context behind the prompt, which itself stays (decision 18)', () => {
  const event = { ...eventOf('BeforeAgent', { prompt: 'p' }), contextSoFar: 'c1\nc2' };
  expect(JSON.parse(stdinOf(event).stdin).prompt).toBe('p\n\nc1\nc2');
  expect(event.input['prompt']).toBe('p');
  expect(JSON.parse(stdinOf({ ...eventOf('AfterTool', { prompt: 'p' }), contextSoFar: 'c' }).stdin).prompt).toBe('p');
});

test('hooks run side by side, unless any group among them is sequential (decision 16a)', () => {
  const parallel = hooksOf([{ command: 'a' }, { command: 'b' }]);
  const sequential = hooksOf([{ command: 'c' }], { sequential: true });
  expect(dialect.layOut(parallel)).toEqual([{ hooks: parallel }]);
  expect(dialect.layOut([...parallel, ...sequential])).toEqual([...parallel, ...sequential].map((hook) => ({ hooks: [hook] })));
  expect(dialect.layOut([])).toEqual([]);
});

test('select says which pattern met which name, both ways', () => {
  const [hook] = hooksOf([{ command: 'a' }], { matcher: 'write_*' });
  if (hook === undefined) throw new Error('no hook');
  const selectionOf = (tool_name: string) => dialect.select(hook, eventOf('BeforeTool', { tool_name }));
  expect(selectionOf('write_file')).toEqual({ run: true, reason: 'the glob "write_*" matches tool_name "write_file"' });
  expect(selectionOf('read')).toEqual({ run: false, skipReason: 'matcher', reason: 'the glob "write_*" does not match tool_name "read"' });
});

test('without the field that a matcher looks at, a hook says when it runs and stays in question', () => {
  const [hook] = hooksOf([{ command: 'a' }], { matcher: 'write_*' });
  if (hook === undefined) throw new Error('no hook');
  const reason = 'it runs when the glob "write_*" matches tool_name';
  for (const fields of [{}, { tool_name: 5 }])
    expect(dialect.select(hook, eventOf('BeforeTool', fields))).toEqual({ run: false, skipReason: 'matcher', reason, reconsider: true });
});

test('settings that parse without a diagnostic are those that the schema accepts', () => {
  const hooks = Object.fromEntries(
    hookEventNames.map((eventName) => [eventName, [{ hooks: [{ command: 'x', timeout: 5000, onError: 'block' }] }]]),
  );
  const settings = { tools: { enableHooks: true }, hooksConfig: { disabled: ['a'] }, hooks };
  expect(parsed(settings).diagnostics).toEqual([]);
  expect(llxprtSettingsSchema.safeParse(settings).success).toBe(true);
  for (const bad of [
    { hooks: { Nope: [] } },
    { hooks: { BeforeTool: [{ hooks: [{ command: 'x', timeout: 0 }] }] } },
    { tools: { enableHooks: 1 } },
  ]) {
    expect(parsed(bad).diagnostics).toHaveLength(1);
    expect(llxprtSettingsSchema.safeParse(bad).success).toBe(false);
  }
});

test.each(['/x/llxprt-code/settings.json', 'llxprt-code/settings.json', '/srv/app/etc/llxprt-code/settings.json'])(
  '%s belongs to a user whose folder has the name of the system’s',
  (file) => {
    expect(llxprt().claims?.(file, machine())).toBeUndefined();
  },
);

test('the file of the system is the one that was named, whatever it is called', () => {
  const places = [
    ['/opt/x.json', '/opt/x.json'],
    ['C:\\etc\\x.json', 'C:/etc/x.json'],
  ] as const;
  for (const [systemFile, file] of places) expect(llxprt({ systemFile }).claims?.(file, machine())).toEqual({});
  expect(llxprt({ systemFile: '/opt/x.json' }).claims?.('/etc/llxprt-code/settings.json', machine())).toBeUndefined();
});
