import { createHash } from 'node:crypto';
import type { DialectContext, SettingsDocument } from '@tenterhook/protocol';
import { codex } from '../../src/codex/index.js';
import { dataOf } from '../../src/codex/settings/hook-data.js';
import { machine } from '../eca/eca-rig.js';

const dialect = codex();

/** The only hook of these groups, read from a file of the project. */
function hookOf(event: string, hook: object, group: object = {}, context: DialectContext = machine()) {
  const value = { hooks: { [event]: [{ ...group, hooks: [hook] }] } };
  const document: SettingsDocument = { source: 'project', file: '/srv/app/.codex/hooks.json', value, locate: () => undefined };
  const [found] = dialect.parse(document, context).hooks;
  if (found === undefined) throw new Error('there is no hook');
  return found;
}

const hashOf = (json: string) => `sha256:${createHash('sha256').update(json).digest('hex')}`;
const reviewOf = (...args: Parameters<typeof hookOf>) => dataOf(hookOf(...args)).review;

test.each<[string, string, object, object, string]>([
  [
    'a plain command',
    'PreToolUse',
    { type: 'command', command: './a.sh', timeout: 65 },
    {},
    '{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"./a.sh","timeout":65,"type":"command"}]}',
  ],
  [
    'a matcher, a message and a limit',
    'PostToolUse',
    { type: 'command', command: 'x', statusMessage: 'm', additionalContextLimit: 10, note: 'not hashed' },
    { matcher: '*' },
    '{"event_name":"post_tool_use","hooks":[{"additionalContextLimit":10,"async":false,"command":"x","statusMessage":"m","timeout":600,"type":"command"}],"matcher":"*"}',
  ],
  [
    'an event whose matcher is not hashed',
    'UserPromptSubmit',
    { type: 'command', command: 'x' },
    { matcher: '' },
    '{"event_name":"user_prompt_submit","hooks":[{"async":false,"command":"x","timeout":600,"type":"command"}]}',
  ],
  [
    'a timeout that is cut',
    'SessionEnd',
    { type: 'command', command: 'x', timeout: 20 },
    {},
    '{"event_name":"session_end","hooks":[{"async":false,"command":"x","timeout":3,"type":"command"}]}',
  ],
])('the fields of the hash are those of the definition', (_, event, hook, group, json) => {
  expect(reviewOf(event, hook, group)?.hash).toBe(hashOf(json));
});

test('the key has the file, the event in snake case, and the two positions', () => {
  expect(reviewOf('PreToolUse', { command: 'x' })?.key).toBe('/srv/app/.codex/hooks.json:pre_tool_use:0:0');
  const files = { ...machine().files, realPath: () => '/dotfiles/hooks.json' };
  expect(reviewOf('Stop', { command: 'x' }, {}, { ...machine(), files })?.key).toBe('/dotfiles/hooks.json:stop:0:0');
});

test('on Windows, commandWindows runs and is hashed', () => {
  const hook = { type: 'command', command: 'x', commandWindows: 'py x.py' };
  const windows = { ...machine(), platform: 'win32' };
  expect(hookOf('PreToolUse', hook, {}, windows).action).toEqual({ kind: 'command', command: 'py x.py' });
  expect(hookOf('PreToolUse', hook).action).toEqual({ kind: 'command', command: 'x' });
  expect(reviewOf('PreToolUse', hook, {}, windows)?.hash).toBe(
    hashOf('{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"py x.py","timeout":600,"type":"command"}]}'),
  );
});
