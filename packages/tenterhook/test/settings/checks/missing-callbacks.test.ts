import type { HookAction, HookDefinition } from '@tenterhook/protocol';
import { markMissingCallbacks } from '../../../src/settings/checks/missing-callbacks.js';

function hookOf(action: HookAction, changes: Partial<HookDefinition> = {}): HookDefinition {
  return {
    id: `d/project/AfterAgent/${action.kind}`,
    dialect: 'd',
    source: 'project',
    eventName: 'AfterAgent',
    dialectEvent: 'Stop',
    file: '/srv/app/settings.json',
    line: 7,
    timeoutMs: 1000,
    onError: 'continue',
    action,
    dialectData: undefined,
    ...changes,
  };
}

const prompt = (changes: Partial<HookDefinition> = {}) => hookOf({ kind: 'host', type: 'prompt', data: { prompt: 'done?' } }, changes);
const command = hookOf({ kind: 'command', command: 'true' });

function mark(hooks: readonly HookDefinition[], types: readonly string[] = []) {
  return markMissingCallbacks({ source: 'project', hooks, diagnostics: [], data: 'kept' }, (type) => types.includes(type));
}

test('a hook of a type that the host does not run is invalid, with a diagnostic that says what the host would give; its siblings stay', () => {
  const { hooks, diagnostics, data } = mark([prompt(), command]);
  const message = 'The hook does not run: hooks of the type "prompt" need a callback of the host, and this host has none.';
  const remedy = 'In the host, pass createHooks({ callbacks: { prompt } }).';
  expect(diagnostics).toEqual([
    {
      code: 'unknown_type',
      severity: 'error',
      message,
      remedy,
      file: '/srv/app/settings.json',
      line: 7,
      dialect: 'd',
      source: 'project',
      eventName: 'AfterAgent',
      hookId: 'd/project/AfterAgent/host',
    },
  ]);
  const text = `/srv/app/settings.json:7  ${message} ${remedy}`;
  expect(hooks).toEqual([
    prompt({ skip: { skipReason: 'invalid', reason: text, warning: { code: 'unknown_type', message: text } } }),
    command,
  ]);
  expect(data).toBe('kept');
});

test('with a callback for its type it stays as it is', () => {
  expect(mark([prompt()], ['prompt'])).toEqual({ source: 'project', hooks: [prompt()], diagnostics: [], data: 'kept' });
  expect(mark([prompt()], ['agent']).diagnostics).toHaveLength(1);
});

test.each<[string, HookDefinition]>([
  ['a command', command],
  ['a request', hookOf({ kind: 'http', url: 'https://example.org/', headers: {}, allowedEnvVars: [] })],
  ['one that has an executor of its own', prompt({ executor: 'models' })],
  ['one that is known not to run', prompt({ skip: { skipReason: 'disabled', reason: 'because' } })],
])('%s needs no callback', (_, hook) => {
  expect(mark([hook])).toEqual({ source: 'project', hooks: [hook], diagnostics: [], data: 'kept' });
});

test('at the command line such a hook is in order: a note says that an agent runs it', () => {
  const at = { line: 7, column: 9, path: 'hooks.Stop[0].hooks[0]' };
  const parsed = { source: 'project', hooks: [prompt(at)], diagnostics: [] };
  const { hooks, diagnostics } = markMissingCallbacks(parsed, () => false, true);
  expect(diagnostics).toMatchObject([
    { code: 'unknown_type', severity: 'note', message: 'The command line cannot run hooks of the type "prompt"; an agent can.', ...at },
  ]);
  expect(hooks).toMatchObject([{ skip: { skipReason: 'invalid', reason: expect.stringContaining('an agent can') } }]);
});
