import type { HookDefinition } from '@tenterhook/protocol';
import { eca } from '../../../src/index.js';
import { codesOf } from '../../printed.js';
import { action, documentOf, hookOf, machine, parsed } from '../eca-rig.js';

const good = { type: 'preToolCall', actions: [action] };
const running = (hooks: readonly HookDefinition[]) => hooks.filter(({ skip }) => skip === undefined).map(({ id }) => id);
const goodId = 'eca/project/BeforeTool/good';

interface Case {
  readonly hook: unknown;
  readonly code: string;
  readonly severity?: string;
  readonly path: string;
  readonly says: string;
  readonly remedy: string;
  /** Whether the list contains the hook, so that its event can report it. @default true */
  readonly isThere?: boolean;
  /** @default BeforeTool */
  readonly eventName?: string;
}

const cases: Record<string, Case> = {
  'a hook that is a text': { hook: 'x', code: 'invalid_hook', path: 'hooks.bad', says: '"x"', remedy: '"actions"', isThere: false },
  'a hook group of another agent': {
    hook: [{ matcher: 'Bash', hooks: [] }],
    code: 'invalid_hook',
    path: 'hooks.bad',
    says: 'must be an object',
    remedy: '"type"',
    isThere: false,
  },
  'no type': {
    hook: { actions: [action] },
    code: 'unknown_event',
    path: 'hooks.bad',
    says: 'no "type"',
    remedy: 'preToolCall',
    isThere: false,
  },
  'a type that is a number': {
    hook: { ...good, type: 7 },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '7',
    remedy: 'preToolCall',
    isThere: false,
  },
  'a type that is like none': {
    hook: { ...good, type: 'fileSaved' },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '"fileSaved"',
    remedy: 'The types are sessionStart',
    isThere: false,
  },
  'a type that every object inherits': {
    hook: { ...good, type: 'toString' },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '"toString"',
    remedy: 'The types are',
    isThere: false,
  },
  'a type in other letters': {
    hook: { ...good, type: 'pretoolcall' },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '"pretoolcall"',
    remedy: 'Did you mean "preToolCall"?',
  },
  'a misspelled type that is near two': {
    hook: { ...good, type: 'postTolCall' },
    code: 'unknown_event',
    eventName: 'AfterTool',
    path: 'hooks.bad.type',
    says: '"postTolCall"',
    remedy: 'Did you mean "postToolCall"?',
  },
  'a misspelled type': {
    hook: { ...good, type: 'preToolCalls' },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '"preToolCalls"',
    remedy: 'Did you mean "preToolCall"?',
  },
  "Claude Code's name of a type": {
    hook: { ...good, type: 'PreToolUse' },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '"PreToolUse"',
    remedy: 'Other agents use that name; in this format it is "preToolCall".',
  },
  "LLxprt's name of the start of a chat": {
    hook: { ...good, type: 'SessionStart' },
    code: 'unknown_event',
    eventName: 'SessionStart',
    path: 'hooks.bad.type',
    says: '"SessionStart"',
    remedy: 'in this format it is "chatStart"',
  },
  'an event that ECA does not have': {
    hook: { ...good, type: 'BeforeModel' },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '"BeforeModel"',
    remedy: 'The types are',
    isThere: false,
  },
  'a type without an event': {
    hook: { ...good, type: 'chatStatusChanged' },
    code: 'unknown_event',
    path: 'hooks.bad.type',
    says: '"chatStatusChanged"',
    remedy: 'ECA has it, but no event',
    isThere: false,
  },
  'no actions': {
    hook: { type: 'preToolCall', shell: 'x' },
    code: 'missing_command',
    path: 'hooks.bad',
    says: 'no "actions"',
    remedy: '"actions": [ { "type": "shell", "shell": "x" } ]',
  },
  'an empty list of actions': {
    hook: { ...good, actions: [] },
    code: 'missing_command',
    path: 'hooks.bad',
    says: '[]',
    remedy: '"actions"',
  },
  'actions that are an object': {
    hook: { ...good, actions: action },
    code: 'missing_command',
    path: 'hooks.bad',
    says: '"shell"',
    remedy: '"actions": [',
  },
  'an action that is a text': {
    hook: { ...good, actions: ['x'] },
    code: 'invalid_hook',
    path: 'hooks.bad.actions[0]',
    says: '"x"',
    remedy: '"shell": "x"',
  },
  'an action of another type': {
    hook: { ...good, actions: [{ type: 'http', url: 'x' }] },
    code: 'unknown_type',
    path: 'hooks.bad.actions[0].type',
    says: '"http"',
    remedy: '"shell"',
  },
  'an action with both': {
    hook: { ...good, actions: [{ ...action, file: 'x' }] },
    code: 'missing_command',
    path: 'hooks.bad.actions[0]',
    says: 'both "shell" and "file"',
    remedy: '"shell"',
  },
  'an action with neither': {
    hook: { ...good, actions: [{ type: 'shell' }] },
    code: 'missing_command',
    path: 'hooks.bad.actions[0]',
    says: 'neither "shell" nor "file"',
    remedy: '"shell"',
  },
  'a command that is a list': {
    hook: { ...good, actions: [{ type: 'shell', shell: ['x'] }] },
    code: 'missing_command',
    path: 'hooks.bad.actions[0].shell',
    says: '["x"]',
    remedy: '"shell": "…"',
  },
  'an empty file': {
    hook: { ...good, actions: [{ type: 'shell', file: ' ' }] },
    code: 'missing_command',
    path: 'hooks.bad.actions[0].file',
    says: '" "',
    remedy: '"file": "…"',
  },
  'a matcher that compiles as nothing': {
    hook: { ...good, matcher: '[' },
    code: 'invalid_matcher',
    path: 'hooks.bad.matcher',
    says: '"["',
    remedy: '',
  },
  'a matcher that is a number': {
    hook: { ...good, matcher: 7 },
    code: 'invalid_matcher',
    path: 'hooks.bad.matcher',
    says: 'must be a string or an object',
    remedy: 'eca__shell_command',
  },
  'a selector that is not an object': {
    hook: { ...good, matcher: { eca__write_file: ['.*'] } },
    code: 'invalid_matcher',
    path: 'hooks.bad.matcher.eca__write_file',
    says: 'must be an object',
    remedy: '"eca__write_file": {}',
  },
  'argsMatchers that are a list': {
    hook: { ...good, matcher: { eca__write_file: { argsMatchers: ['.*'] } } },
    code: 'invalid_matcher',
    path: 'hooks.bad.matcher.eca__write_file.argsMatchers',
    says: 'must be an object',
    remedy: '"path"',
  },
  'patterns of an argument that are a string': {
    hook: { ...good, matcher: { eca__write_file: { argsMatchers: { path: '.*/secrets/.*' } } } },
    code: 'invalid_matcher',
    path: 'hooks.bad.matcher.eca__write_file.argsMatchers.path',
    says: 'must be an array of strings',
    remedy: '"path": [".*/secrets/.*"]',
  },
  'a pattern of an argument that does not compile': {
    hook: { ...good, matcher: { eca__write_file: { argsMatchers: { path: ['a', '['] } } } },
    code: 'invalid_matcher',
    path: 'hooks.bad.matcher.eca__write_file.argsMatchers.path[1]',
    says: '"["',
    remedy: '',
  },
};

test.each(Object.entries(cases))(
  '%s is said, and its sibling runs',
  (_, { hook, code, severity = 'error', path, says, remedy, isThere = true, eventName = 'BeforeTool' }) => {
    const { hooks, diagnostics, isUnusable } = parsed({ bad: hook, good });
    expect(diagnostics).toEqual([
      expect.objectContaining({
        code,
        severity,
        path,
        message: expect.stringContaining(says),
        remedy: expect.stringContaining(remedy),
        dialect: 'eca',
      }),
    ]);
    expect(diagnostics[0]).toMatchObject({ file: '/srv/app/.eca/config.json', line: expect.any(Number), source: 'project' });
    expect(running(hooks)).toEqual([goodId]);
    expect(hooks.map(({ id }) => id)).toEqual(isThere ? [`eca/project/${eventName}/bad`, goodId] : [goodId]);
    expect(hooks.every(({ skip }) => skip === undefined || (skip.skipReason === 'invalid' && skip.warning?.code === code))).toBe(true);
    expect(isUnusable).toBeUndefined();
  },
);

const warned: Record<string, [fields: Record<string, unknown>, code: string, severity: string, path: string]> = {
  'a matcher on a type that is about no tool': [{ type: 'preRequest', matcher: 'x' }, 'matcher_ignored', 'warning', 'matcher'],
  'a field of the hook in an action': [{ actions: [{ ...action, onError: 'block' }] }, 'invalid_field', 'error', 'actions[0].onError'],
  'a misspelled field of an action': [{ actions: [{ ...action, timeoutMs: 1 }] }, 'invalid_field', 'warning', 'actions[0].timeoutMs'],
  'a glob of another agent': [{ matcher: 'eca__*' }, 'unmatched_matcher', 'warning', 'matcher'],
  "a matcher in Claude Code's spelling": [{ matcher: 'mcp__github__.*' }, 'unmatched_matcher', 'note', 'matcher'],
  'a matcher without a server': [{ matcher: 'shell_command' }, 'unmatched_matcher', 'warning', 'matcher'],
  'an empty matcher': [{ matcher: '' }, 'unmatched_matcher', 'warning', 'matcher'],
  'runOnError before a tool': [{ runOnError: true }, 'invalid_field', 'warning', 'runOnError'],
  'runOnError that is a text': [{ type: 'postToolCall', runOnError: 'yes' }, 'invalid_field', 'error', 'runOnError'],
  'visible that is a number': [{ visible: 0 }, 'invalid_field', 'error', 'visible'],
  'onError that is not a word of it': [{ onError: 'deny' }, 'invalid_field', 'error', 'onError'],
  'a timeout beside the actions': [{ timeout: 5000 }, 'invalid_field', 'warning', 'timeout'],
  'a misspelled field': [{ macher: 'x' }, 'invalid_field', 'warning', 'macher'],
  'a timeout that is a text': [{ actions: [{ ...action, timeout: '5s' }] }, 'invalid_timeout', 'error', 'actions[0].timeout'],
  'a timeout of no time': [{ actions: [{ ...action, timeout: 0 }] }, 'invalid_timeout', 'error', 'actions[0].timeout'],
  'a timeout in seconds': [{ actions: [{ ...action, timeout: 30 }] }, 'suspicious_timeout', 'warning', 'actions[0].timeout'],
};

test.each(Object.entries(warned))('%s is said, and the hook runs', (_, [fields, code, severity, path]) => {
  const { hooks, diagnostics } = parsed({ odd: { ...good, ...fields } });
  expect(diagnostics).toEqual([expect.objectContaining({ code, severity, path: `hooks.odd.${path}` })]);
  expect(running(hooks)).toHaveLength(1);
});

test('what is said of a hook is said once, however many actions it has', () => {
  const { diagnostics } = parsed({ odd: { ...good, matcher: '[', onError: 'x', actions: [action, action, action] } });
  expect(codesOf(diagnostics)).toEqual(['invalid_field', 'invalid_matcher']);
});

test.each([
  [[], 'invalid_document'],
  [7, 'invalid_document'],
  [{ hooks: [] }, 'invalid_document'],
])('settings that are %j are invalid', (value, code) => {
  const { hooks, diagnostics, isUnusable } = eca().parse(documentOf(value), machine());
  expect({ hooks, isUnusable, codes: codesOf(diagnostics) }).toEqual({ hooks: [], isUnusable: true, codes: [code] });
});

test('settings without hooks are fine, whatever else they hold', () => {
  expect(eca().parse(documentOf({ providers: { a: {} }, hooks: {} }), machine())).toEqual({ hooks: [], diagnostics: [] });
  expect(eca().parse(documentOf({}), machine())).toEqual({ hooks: [], diagnostics: [] });
});

test('everything that is written arrives', () => {
  const [one, two] = parsed({
    guard: {
      type: 'postToolCall',
      matcher: 'eca__.*',
      visible: false,
      runOnError: true,
      onError: 'block',
      actions: [{ ...action, timeout: 5000 }, action],
    },
  }).hooks;
  expect(one).toMatchObject({
    id: 'eca/project/AfterTool/guard-1',
    name: 'guard-1',
    dialectEvent: 'postToolCall',
    matcher: 'eca__.*',
    hidden: true,
    onError: 'block',
    timeoutMs: 5000,
    action: { kind: 'command', command: 'true' },
    line: 5,
  });
  expect(two).toMatchObject({ id: 'eca/project/AfterTool/guard-2', timeoutMs: 30_000 });
  expect(hookOf('preRequest')).not.toHaveProperty('hidden');
});

test('a bad action leaves the other ones of its hook', () => {
  const { hooks } = parsed({ guard: { ...good, actions: [action, { type: 'http' }, action] } });
  expect(running(hooks)).toEqual(['eca/project/BeforeTool/guard-1', 'eca/project/BeforeTool/guard-3']);
});

test.each(['a/b', ' ', '', '__proto__', 'konstruktör "x"', '\n'])('the key %j keeps its name', (key) => {
  const hooks = JSON.parse(`{ ${JSON.stringify(key)}: ${JSON.stringify(good)} }`);
  expect(parsed(hooks).hooks.map(({ name, id }) => [name, id])).toEqual([[key, `eca/project/BeforeTool/${key.replace('/', '%2F')}`]]);
});

test.each([
  ['prePrompt', 'BeforeAgent', 'preRequest'],
  ['postPrompt', 'AfterAgent', 'postRequest'],
])('%s is an old spelling', (type, eventName, dialectEvent) => {
  const { hooks, diagnostics } = parsed({ old: { ...good, type } });
  expect(hooks).toEqual([expect.objectContaining({ eventName, dialectEvent })]);
  expect(diagnostics).toEqual([]);
});

test.each([
  ['shell_command', 'eca__shell_command'],
  ['Bash|Edit', 'eca__shell_command|eca__edit_file'],
  ['run_shell_command', 'eca__shell_command'],
  ['eca_shell_command', 'eca__shell_command'],
  ['search', '.*__search'],
  ['', '.*'],
  ['eca__*', 'eca__.*'],
  ['mcp__github__.*', 'github__.*'],
])('of the matcher %j it is said to write %j', (matcher, instead) => {
  const { diagnostics } = parsed({ odd: { ...good, matcher } });
  expect(diagnostics[0]?.remedy).toBe(`Write "${instead}".`);
});

test('a misspelled "type" is said, also if it is unknown when the hook should run', () => {
  const { diagnostics } = parsed({ odd: { typ: 'preToolCall', actions: [action] } });
  expect(codesOf(diagnostics)).toEqual(['unknown_event', 'invalid_field']);
  expect(diagnostics[1]).toMatchObject({ path: 'hooks.odd.typ', remedy: 'Did you mean "type"?' });
});

test.each<[settings: object, path: string]>([
  [{ guard: good }, 'guard'],
  [{ Hooks: { guard: good } }, 'Hooks.guard'],
  [{ hook: { guard: good }, hooks: {} }, 'hook.guard'],
])('hooks in the wrong place are said, and their event knows of them: %j', (settings, path) => {
  const { hooks, diagnostics } = eca().parse(documentOf(settings), machine());
  expect(diagnostics).toEqual([expect.objectContaining({ code: 'misplaced_hooks', severity: 'error', path })]);
  expect(hooks).toEqual([expect.objectContaining({ eventName: 'BeforeTool', skip: expect.objectContaining({ skipReason: 'invalid' }) })]);
  expect(eca().eventsIn?.(settings)).toEqual(['preToolCall']);
});
