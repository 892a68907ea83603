import { HookEngine, type HookFields } from '../../src/index.js';
import { engineWith, nextWarning, toolUse } from '../scene.js';

const diagnosticsOf = (fields: Partial<HookFields>) => {
  const engine = engineWith('h', () => undefined);
  engine.register({ id: 'h', event_type: 'pre_tool_use', ...fields });
  return engine.diagnostics;
};

test('a hook without a handler is reported, and a handler without a hook with the nearest id', () => {
  const engine = new HookEngine();
  engine.register({ id: 'no-secrets', event_type: 'pre_tool_use' });
  engine.register_handler('no-secret', { handle: () => undefined });
  engine.register_handler('something else', { handle: () => undefined });
  expect(engine.diagnostics).toMatchObject([
    {
      code: 'missing_handler',
      severity: 'warning',
      message: expect.stringContaining('"no-secrets"'),
      remedy: expect.stringContaining('no-secrets'),
    },
    { code: 'missing_handler', message: expect.stringMatching(/"no-secret".*Did you mean "no-secrets"/) },
    { code: 'missing_handler', message: expect.stringMatching(/"something else" never runs/) },
  ]);
  engine.unregister_handler('no-secret');
  engine.unregister_handler('something else');
  engine.register_handler('no-secrets', { handle: () => undefined });
  expect(engine.diagnostics).toEqual([]);
});

test('fire warns of a guard without a handler, and of nothing else that has none', async () => {
  const engine = new HookEngine();
  engine.register({ id: 'log', event_type: 'pre_tool_use' });
  expect(await engine.fire(toolUse())).toEqual({ action: 'Continue', warnings: [] });
  engine.register({ id: 'guard', event_type: 'pre_tool_use', config: { onError: 'block' } });
  const reported = nextWarning(engine);
  const warning = { hook_id: 'guard', code: 'no-handler', message: expect.stringContaining('register_handler("guard"') };
  expect(await engine.fire(toolUse())).toEqual({ action: 'Continue', warnings: [warning] });
  expect(await reported).toEqual(warning);
});

test('an asynchronous guard is reported', () => {
  const config = { async_execution: true, onError: 'block' } as const;
  expect(diagnosticsOf({ config })).toMatchObject([
    { code: 'invalid_hook', message: expect.stringMatching(/"h".*async_execution.*onError/) },
  ]);
});

test.each(['mcp__*', 'Read|Write', 'Bash?', '^Bash$', '[A-Z]ash'])('%s is reported: a tool is its exact name', (tool) => {
  expect(diagnosticsOf({ matcher: { tool } })).toMatchObject([
    { code: 'unmatched_matcher', message: expect.stringContaining(`"${tool}"`) },
  ]);
});

test.each(['/rm/i', '/rm/'])('the command pattern %s is reported: its slashes belong to the command', (command_pattern) => {
  expect(diagnosticsOf({ matcher: { command_pattern } })).toMatchObject([
    { code: 'unmatched_matcher', message: expect.stringContaining(`"${command_pattern}"`), remedy: expect.stringContaining('(?i)') },
  ]);
});

test.each<HookFields['matcher']>([{ tool: 'mcp__files.read-it' }, { command_pattern: '^/usr/bin/rm' }, { command_pattern: 'a/b/c' }])(
  'nothing is reported for %j',
  (matcher) => {
    expect(diagnosticsOf({ matcher })).toEqual([]);
  },
);
