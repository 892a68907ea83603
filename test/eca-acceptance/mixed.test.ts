import { eca, llxprt } from '@tenterhook/dialects';
import { says, settingsOf, withHooks } from '../support/fire-hooks.js';
import { withPlaces } from '../support/places.js';
import { callShell, hookOf, idOf, preToolCall, seen } from './eca-hooks.js';

const llxprtId = 'llxprt/project/BeforeTool/0.0';
const inLlxprt = (command: string) => ({ tools: { enableHooks: true }, ...settingsOf('BeforeTool', [command]) });

test('eca 37: an ECA deny stands against an LLxprt allow on the same event, and names its hook', async () => {
  await withPlaces(async (places) => {
    const native = places.write('project/.llxprt/settings.json', inLlxprt(`cat > llxprt.json; ${says({ decision: 'allow' })}`));
    const own = places.write('project/.eca/config.json', {
      hooks: { guard: preToolCall(`cat > eca.json; ${says({ approval: 'deny', additionalContext: 'no' })}`) },
    });
    await places.discover(async (scene) => {
      expect(scene.hooks.diagnostics).toEqual([]);
      const result = await callShell(scene.handler);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [idOf('guard', 'BeforeTool', 'project')] });
      expect(result.outcomes).toMatchObject([
        { hookId: llxprtId, dialect: 'llxprt', status: 'succeeded' },
        { dialect: 'eca', source: 'project', status: 'blocked' },
      ]);
      // Each has the stdin of its own format.
      expect(seen(scene, 'llxprt.json')).toMatchObject({ hook_event_name: 'BeforeTool', session_id: 's1', tool_name: 'run_shell_command' });
      expect(seen(scene, 'eca.json')).toMatchObject({ hook_type: 'preToolCall', chat_id: 's1', tool_name: 'shell_command' });
      expect(scene.hooks.explain('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }).hooks).toMatchObject([
        { hookId: llxprtId, dialect: 'llxprt', file: native, wouldRun: true },
        { hookId: idOf('guard', 'BeforeTool', 'project'), dialect: 'eca', file: own, wouldRun: true },
      ]);
    });
  });
});

test('eca 37: an LLxprt deny stands too, and the ECA hook behind it does not run', async () => {
  await withPlaces(async (places) => {
    places.write('project/.llxprt/settings.json', inLlxprt('echo no >&2; exit 2'));
    places.write('project/.eca/config.json', { hooks: { ok: preToolCall(says({ approval: 'allow' })) } });
    await places.discover(async ({ handler }) => {
      const result = await callShell(handler);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no', by: [llxprtId] });
      expect(result.outcomes[1]).toMatchObject({ dialect: 'eca', status: 'skipped', skipReason: 'chain-ended' });
    });
  });
});

test('the switch of LLxprt is none of ECA: its hooks run while those of LLxprt are off', async () => {
  await withPlaces(async (places) => {
    places.write('project/.llxprt/settings.json', { ...inLlxprt('exit 2'), tools: { enableHooks: false } });
    places.write('project/.eca/config.json', { hooks: { ok: preToolCall('true') } });
    await places.discover(async ({ handler }) => {
      expect((await callShell(handler)).outcomes).toMatchObject([{ dialect: 'eca', status: 'succeeded' }]);
    });
  });
});

test('settings that are given are recognised by the types of their hooks, in one list with those of LLxprt', async () => {
  const settings = [{ hooks: { note: hookOf('preRequest', 'echo eca') } }, settingsOf('BeforeAgent', ['echo llxprt'])];
  await withHooks({ dialects: [llxprt(), eca()], settings }, async ({ hooks, handler }) => {
    expect(hooks.diagnostics).toEqual([]);
    const result = await handler.fireBeforeAgentEvent('p');
    expect(result.outcomes.map(({ dialect, source }) => [dialect, source])).toEqual([
      ['llxprt', 'settings:2'],
      ['eca', 'settings:1'],
    ]);
    // The same text is a message in one format and context in the other (decisions 5 and 49).
    expect(result.finalOutput).toMatchObject({ systemMessage: 'llxprt', hookSpecificOutput: { additionalContext: 'eca' } });
  });
});

test('a rewrite of an LLxprt hook is what an ECA hook sees', async () => {
  await withPlaces(async (places) => {
    const rewrite = says({ hookSpecificOutput: { tool_input: { command: 'ls -l' } } });
    places.write('project/.llxprt/settings.json', inLlxprt(rewrite));
    places.write('project/.eca/config.json', {
      hooks: { b: preToolCall(`cat > eca.json; ${says({ updatedInput: { timeout: 60 } })}`) },
    });
    await places.discover(async (scene) => {
      const result = await callShell(scene.handler);
      expect(seen(scene, 'eca.json')['tool_input']).toEqual({ command: 'ls -l' });
      expect(result.finalOutput?.hookSpecificOutput?.['tool_input']).toEqual({ command: 'ls -l', timeout: 60 });
    });
  });
});
