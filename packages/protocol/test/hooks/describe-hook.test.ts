import { hookLabel, shownAction } from '../../src/hooks/describe-hook.js';
import type { HookAction, HookDefinition } from '../../src/hooks/hook-definition.js';

const http = (url: string): HookAction => ({ kind: 'http', url, headers: {}, allowedEnvVars: [] });

const shown: Record<string, [action: HookAction, shown: object]> = {
  'a command as it is written': [{ kind: 'command', command: 'npm test && true' }, { command: 'npm test && true' }],
  'a program with its arguments, as a shell would take them': [
    { kind: 'command', command: 'node', args: ['-e', "print('a b')", './x.js', ''] },
    { command: "node -e 'print('\\''a b'\\'')' ./x.js ''" },
  ],
  'nothing of what could not be read': [{ kind: 'command', command: '' }, {}],
  'where a request goes': [http('https://example.org/hook?x=1'), { url: 'https://example.org/hook?…' }],
  'where a request goes, without credentials': [http('https://me:pass@example.org/@x'), { url: 'https://…@example.org/@x' }],
  'the type of what the host does': [{ kind: 'host', type: 'prompt', data: { prompt: 'done?' } }, { type: 'prompt' }],
  'nothing of a function': [{ kind: 'call', handlerId: 'h' }, {}],
};

test.each(Object.entries(shown))('%s is shown', (_, [action, expected]) => {
  expect(shownAction(action)).toEqual(expected);
});

test.each<[string, Partial<HookDefinition>]>([
  ['guard', { name: 'guard', action: { kind: 'command', command: 'true' } }],
  ['true', { action: { kind: 'command', command: 'true' } }],
  ['https://example.org/', { action: http('https://example.org/') }],
  ['https://…@example.org/hook?…', { action: http('https://me:pass@example.org/hook?token=s#t') }],
  ['d/project/AfterAgent/0.0', { action: { kind: 'host', type: 'prompt', data: {} } }],
])('people call it "%s"', (label, hook) => {
  expect(hookLabel({ id: 'd/project/AfterAgent/0.0', ...hook } as HookDefinition)).toBe(label);
});
