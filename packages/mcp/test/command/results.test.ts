import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../../../test/support/until.js';
import { type EventHooks, type Json, openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';
import { connect, type SdkClient, sdks } from '../rig/sdk-clients.js';

// One connection for all tests of a block, because each start takes a second on a busy machine.

const answers = (fields: Json, hookEventName = 'PostToolUse') => says({ hookSpecificOutput: { hookEventName, ...fields } });

describe.each(sdks)('with the SDK %s', (sdk) => {
  let place: Place;
  let client: SdkClient;
  beforeAll(async () => {
    place = openPlace(
      {
        PostToolUse: [
          { matcher: 'mcp__files__media', command: answers({ updatedToolOutput: 'a key was here' }) },
          { matcher: 'mcp__files__weather', command: answers({ updatedToolOutput: 'mild' }) },
          {
            matcher: 'mcp__files__forecast',
            command: `cat > "$CLAUDE_PROJECT_DIR/event.json"; ${answers({ additionalContext: 'Rain is near.' })}`,
          },
        ],
      },
      'claude-code',
    );
    client = await connect(sdk, place);
    // A client that knows the outputSchema validates structured content.
    await client.listTools();
  });
  afterAll(async () => {
    await client.close();
    place.remove();
  });

  test('M5 after a redaction, no part of the result has the original', async () => {
    const media = await client.call('media');
    expect(media['content']).toEqual([{ type: 'text', text: 'a key was here' }]);
    expect(media['isError']).toBeUndefined();
    const weather = await client.call('weather');
    expect(weather).toMatchObject({ content: [{ type: 'text', text: 'mild' }], isError: true });
    expect(JSON.stringify([media, weather])).not.toMatch(/sk-secret|c2stc2VjcmV0|degrees/);
  });

  test('M6 context is one more text, structured content stays, and hooks see it', async () => {
    expect(await client.call('forecast')).toMatchObject({
      content: [
        { type: 'text', text: 'It is mild.' },
        { type: 'text', text: '<hook_context>\nRain is near.\n</hook_context>' },
      ],
      structuredContent: { degrees: 17, note: 'sk-secret' },
    });
    const event = JSON.parse(readFileSync(`${place.directory}/event.json`, 'utf8')) as Json;
    expect(JSON.stringify(event['tool_response'])).toContain('sk-secret');
  });
});

/** Calls a tool of the server without an SDK. Returns the answer and the client, which has ended. */
async function callOnce(hooks: EventHooks, dialect: string, tool: string): Promise<{ readonly answer: Json; readonly client: RawClient }> {
  const place = openPlace(hooks, dialect);
  const client = new RawClient(place);
  await client.initialize();
  const answer = await client.ask('tools/call', { name: tool });
  await client.close();
  place.remove();
  return { answer, client };
}

test('M5 structured content and metadata without a schema, and the data of an error, are dropped', async () => {
  const place = openPlace(
    {
      PostToolUse: [{ matcher: 'mcp__files__secret', command: answers({ updatedToolOutput: 'the key is gone' }) }],
      PostToolUseFailure: [{ matcher: 'mcp__files__.*', command: answers({ updatedToolOutput: 'no such row' }, 'PostToolUseFailure') }],
    },
    'claude-code',
  );
  const client = new RawClient(place);
  await client.initialize();
  expect((await client.ask('tools/call', { name: 'secret' }))['result']).toEqual({ content: [{ type: 'text', text: 'the key is gone' }] });
  expect((await client.ask('tools/call', { name: 'protocolError' }))['error']).toEqual({ code: -32042, message: 'no such row' });
  await client.close();
  place.remove();
});

test('M5 a redaction with a hook in the format of Gemini CLI, whose deny replaces the result', async () => {
  const hook = { matcher: 'mcp_files_secret', command: says({ decision: 'deny', reason: 'hidden' }) };
  const { answer } = await callOnce({ AfterTool: [hook] }, 'gemini-cli', 'secret');
  expect(answer['result']).toEqual({ content: [{ type: 'text', text: 'hidden' }] });
});

test('an objection of AfterTool and a system message are further texts', async () => {
  const hook = { matcher: 'echo', command: says({ decision: 'deny', reason: 'Check it again.', systemMessage: 'Checked.' }) };
  const { answer, client } = await callOnce({ AfterTool: [hook] }, 'llxprt', 'echo');
  const { content } = answer['result'] as { content: Json[] };
  expect(content[1]).toEqual({ type: 'text', text: 'Check it again.\n<hook_context>\nChecked.\n</hook_context>' });
  expect(textOf({ content })).toContain('"echo"');
  await until('the message is on stderr', () => client.stderr.includes('tenterhook-mcp files: AfterTool: Checked.\n'));
});
