import { executeToolWithHooks } from '@tenterhook/agent';
import { recordingTool, withClient } from '../support/agent.js';
import { says, settingsOf } from '../support/fire-hooks.js';
import { withPlaces } from '../support/places.js';
import { callBash, command, deeds, permission, preToolUse, seen, specific, specificOf } from './claude-hooks.js';

const inLlxprt = (text: string) => ({ tools: { enableHooks: true }, ...settingsOf('BeforeTool', [text]) });
const inEca = (text: string) => ({ hooks: { guard: { type: 'preToolCall', actions: [{ type: 'shell', shell: text }] } } });
const inGemini = (text: string) => ({ hooks: { BeforeTool: [{ hooks: [{ type: 'command', command: text }] }] } });
const [llxprtFile, claudeFile, ecaFile] = ['project/.llxprt/settings.json', 'project/.claude/settings.json', 'project/.eca/config.json'];

test('claude README §10: one call, each hook told it in its own format, from the files of four agents and no option', async () => {
  await withPlaces(async (places) => {
    const files = [
      places.write(llxprtFile, inLlxprt('cat > llxprt.json')),
      places.write(claudeFile, { hooks: preToolUse('cat > claude.json') }),
      places.write('project/.gemini/settings.json', inGemini('cat > gemini.json')),
      places.write(ecaFile, inEca('cat > eca.json')),
    ];
    await places.discover(async (scene) => {
      expect(scene.hooks.diagnostics).toEqual([]);
      expect((await callBash(scene.handler)).outcomes).toMatchObject(
        ['llxprt', 'claude-code', 'gemini-cli', 'eca'].map((dialect) => ({ dialect, status: 'succeeded' })),
      );
      expect(seen(scene, 'llxprt.json')).toMatchObject({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' });
      expect(seen(scene, 'claude.json')).toMatchObject({ hook_event_name: 'PreToolUse', tool_name: 'Bash' });
      expect(seen(scene, 'gemini.json')).toMatchObject({ hook_event_name: 'BeforeTool', tool_name: 'run_shell_command' });
      expect(seen(scene, 'eca.json')).toMatchObject({ hook_type: 'preToolCall', tool_name: 'shell_command' });
      for (const one of ['llxprt.json', 'claude.json', 'gemini.json', 'eca.json'])
        expect(seen(scene, one)['tool_input']).toEqual({ command: 'npm test' });
      const explained = scene.hooks.explain('BeforeTool', { tool_name: 'run_shell_command', tool_input: {} }).hooks;
      expect(explained).toMatchObject(files.map((file) => ({ file, line: expect.any(Number), wouldRun: true })));
    });
  });
});

test('claude §3: a deny ends the plan, and the hooks of the next agent do not run', async () => {
  await withPlaces(async (places) => {
    places.write(llxprtFile, inLlxprt(says({ decision: 'allow' })));
    places.write(claudeFile, { hooks: preToolUse('echo no >&2; exit 2') });
    places.write(ecaFile, inEca('touch ran'));
    await places.discover(async ({ handler, read }) => {
      const result = await callBash(handler);
      expect(result.verdict).toMatchObject({ kind: 'deny', reason: 'no' });
      expect(deeds(result)).toEqual(['succeeded', 'blocked', 'skipped: chain-ended']);
      expect(read('ran')).toBeUndefined();
    });
  });
});

test('claude §3: what the hook of one agent rewrote is what the next one sees, and a condition is asked about that', async () => {
  await withPlaces(async (places) => {
    places.write(llxprtFile, inLlxprt(says({ hookSpecificOutput: { tool_input: { command: 'git push o' } } })));
    const rewrites = `cat > claude.json; ${specific('PreToolUse', { updatedInput: { command: 'git push mine' } })}`;
    places.write(claudeFile, { hooks: preToolUse([command(rewrites, { if: 'Bash(git push *)' })]) });
    places.write(ecaFile, inEca('cat > eca.json'));
    await places.discover(async (scene) => {
      const result = await callBash(scene.handler);
      expect(deeds(result)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(seen(scene, 'claude.json')['tool_input']).toEqual({ command: 'git push o' });
      expect(seen(scene, 'eca.json')['tool_input']).toEqual({ command: 'git push mine' });
      expect(specificOf(result)['tool_input']).toEqual({ command: 'git push mine' });
    });
  });
});

test('claude §3: a guard whose condition held of the call as it was runs also when another hook has rewritten the call', async () => {
  await withPlaces(async (places) => {
    places.write(llxprtFile, inLlxprt(says({ hookSpecificOutput: { tool_input: { command: 'true' } } })));
    places.write(claudeFile, { hooks: preToolUse(command('exit 2', { if: 'Bash(npm *)' }), { matcher: 'Bash' }) });
    await places.discover(async ({ handler }) => expect((await callBash(handler)).verdict.kind).toBe('deny'));
  });
});

test('claude README §10: the host speaks canonical events only, and is blocked by a matcher on Bash', async () => {
  const own = { hooks: preToolUse(permission('deny', { permissionDecisionReason: 'no' }), { matcher: 'Bash' }) };
  await withClient({ settings: [own] }, async ({ client }) => {
    const tool = recordingTool();
    const call = await executeToolWithHooks(client, { name: 'run_shell_command', input: { command: 'npm test' }, ...tool });
    expect(call).toMatchObject({ status: 'blocked', reason: 'no' });
    expect(tool.calls).toEqual([]);
  });
});
