import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { createHookClient, createHooks, type Hooks } from 'tenterhook';
import { testAdapter } from '../../../test/adapters/cases.js';
import { until } from '../../../test/support/until.js';
import { type HookMcpTransportOptions, hookMcpTransport } from '../src/index.js';
import { type Json, openPlace, type Place, says, textOf } from './rig/link-rig.js';
import { connect, type SdkClient } from './rig/sdk-clients.js';

let place: Place;
let hooks: Hooks;
let client: SdkClient;
beforeEach(() => {
  place = openPlace();
});
afterEach(async () => {
  await client.close();
  await hooks.dispose();
  place.remove();
});

async function open(settings: object, options: Partial<HookMcpTransportOptions> = {}): Promise<void> {
  hooks = await createHooks({ projectDir: place.directory, settings });
  const hookClient = createHookClient(hooks);
  client = await connect('1.x, 2025-11-25', place, {
    wrap: (transport) => hookMcpTransport(hookClient, transport, { server: 'files', ...options }),
  });
}

const onTool = (event: string, matcher: string, command: string) => ({
  hooks: { [event]: [{ matcher, hooks: [{ type: 'command', command }] }] },
});
const input = { path: 'a', content: 'b' };

testAdapter('mcp', {
  deny: async () => {
    await open(onTool('BeforeTool', 'write_file', says({ decision: 'deny', reason: 'Not here.' })));
    const [denied, ran] = await Promise.all([client.call('write_file', input), client.call('echo', { text: 'beside' })]);
    expect([denied['isError'], textOf(denied), textOf(ran)]).toEqual([true, 'Not here.', 'beside']);
    expect(place.calls()).toHaveLength(1);
  },
  rewrite: async () => {
    const misfit = `grep -q misfit && echo '${JSON.stringify({ hookSpecificOutput: { tool_input: { content: 7 } } })}' || ${says({ hookSpecificOutput: { tool_input: { content: 'clean' } } })}`;
    await open(onTool('BeforeTool', 'write_file', misfit));
    expect(textOf(await client.call('write_file', input))).toBe('wrote clean to a');
    // The server has the schema.
    const failed = await client.call('write_file', { path: 'misfit', content: 'b' });
    expect([failed['isError'], JSON.stringify(failed)]).toEqual([
      true,
      expect.stringContaining('rewritten by hook \\"llxprt/settings/BeforeTool/0.0\\".'),
    ]);
  },
  redact: async () => {
    await open(
      onTool(
        'PostToolUse',
        'mcp__files__weather',
        says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: 'mild' } }),
      ),
    );
    await client.listTools();
    expect(JSON.stringify(await client.call('weather'))).not.toMatch(/sk-secret|degrees|It is mild/);
  },
  context: async () => {
    await open(onTool('AfterTool', 'weather', says({ hookSpecificOutput: { additionalContext: 'Rain is near.' } })));
    expect(await client.call('weather')).toMatchObject({
      content: [{ text: 'It is mild.' }, { text: '<hook_context>\nRain is near.\n</hook_context>' }],
      structuredContent: { degrees: 17, note: 'sk-secret' },
    });
  },
  stop: { cannot: 'a server does not see the calls of the model, so a stop refuses the call alone' },
  ask: async () => {
    const answers = ['allow', 'deny', undefined] as const;
    let asked = 0;
    await open(onTool('BeforeTool', 'write_file', says({ decision: 'ask' })), { ask: () => answers[asked++] });
    const texts: string[] = [];
    for (const _ of answers) texts.push(textOf(await client.call('write_file', input)));
    expect(texts).toEqual(['wrote b to a', 'The user did not allow it.', 'It needs confirmation, but no user could be asked.']);
    expect(place.calls()).toHaveLength(1);
  },
  abort: async () => {
    await open(onTool('BeforeTool', 'echo', 'echo begun > "$LLXPRT_PROJECT_DIR/begun"; sleep 600'));
    const control = new AbortController();
    const failed = client.call('echo', { text: 'x' }, { signal: control.signal }).catch((error: Error) => error.message);
    await until('the hook runs', () => existsSync(`${place.directory}/begun`));
    control.abort('Enough.');
    expect(await failed).toContain('Enough.');
    // The client waits for the end of the hooks.
    await client.close();
    expect(place.calls()).toEqual([]);
  },
  error: async () => {
    await open(onTool('AfterTool', 'fail', 'cat > "$LLXPRT_PROJECT_DIR/event"'));
    expect(await client.call('fail')).toMatchObject({ isError: true, content: [{ type: 'text', text: 'disk full' }] });
    expect((JSON.parse(readFileSync(`${place.directory}/event`, 'utf8')) as Json)['tool_response']).toMatchObject({
      error: { message: 'disk full' },
    });
  },
  selection: { cannot: 'a server does not see the requests to the model, so there is no selection of tools' },
  idle: async () => {
    await open({});
    const messages: unknown[] = [];
    hooks.bus.subscribe('HOOK_EXECUTION_REQUEST', (message) => messages.push(message));
    expect(await client.call('weather')).toEqual({
      content: [{ type: 'text', text: 'It is mild.' }],
      structuredContent: { degrees: 17, note: 'sk-secret' },
    });
    expect(messages).toEqual([]);
  },
});
