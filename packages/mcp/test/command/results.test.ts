import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Json, openPlace, type Place, RawClient, says, textOf } from '../rig/link-rig.js';
import { connect, type SdkClient, sdks } from '../rig/sdk-clients.js';

let place: Place;
let client: SdkClient | RawClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
  place.remove();
});

const redact = (value: unknown) => says({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: value } });

describe.each(sdks)('with the SDK %s', (sdk) => {
  test('M5 after a redaction, no part of the result has the original', async () => {
    place = openPlace(
      {
        PostToolUse: [
          { matcher: 'mcp__files__media', command: redact('a key was here') },
          { matcher: 'mcp__files__weather', command: redact('mild') },
        ],
      },
      'claude-code',
    );
    client = await connect(sdk, place);
    // A client that knows the outputSchema validates structured content.
    await client.listTools();
    const media = await client.call('media');
    expect(media['content']).toEqual([{ type: 'text', text: 'a key was here' }]);
    expect(media['isError']).toBeUndefined();
    const weather = await client.call('weather');
    expect(weather).toMatchObject({ content: [{ type: 'text', text: 'mild' }], isError: true });
    expect(JSON.stringify([media, weather])).not.toMatch(/sk-secret|c2stc2VjcmV0|degrees/);
  });

  test('M6 context is one more text, structured content stays, and hooks see it', async () => {
    const hook = `cat > "$LLXPRT_PROJECT_DIR/event.json"; ${says({ hookSpecificOutput: { additionalContext: 'Rain is near.' } })}`;
    place = openPlace({ AfterTool: [{ matcher: 'weather', command: hook }] });
    client = await connect(sdk, place);
    await client.listTools();
    const result = await client.call('weather');
    expect(result).toMatchObject({
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

test('M5 structured content and metadata without a schema are dropped, and the result is not an error', async () => {
  place = openPlace({ PostToolUse: [{ matcher: 'mcp__files__secret', command: redact('the key is gone') }] }, 'claude-code');
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize();
  raw.call('secret');
  expect((await raw.next())['result']).toEqual({ content: [{ type: 'text', text: 'the key is gone' }] });
});

test('M5 a redaction with a hook in the format of Gemini CLI, whose deny replaces the result', async () => {
  place = openPlace({ AfterTool: [{ matcher: 'mcp_files_secret', command: says({ decision: 'deny', reason: 'hidden' }) }] }, 'gemini-cli');
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize();
  raw.call('secret');
  expect((await raw.next())['result']).toEqual({ content: [{ type: 'text', text: 'hidden' }] });
});

test('M5 a redaction of a protocol error replaces its message and drops its data', async () => {
  place = openPlace(
    {
      PostToolUseFailure: [
        {
          matcher: 'mcp__files__protocolError',
          command: says({ hookSpecificOutput: { hookEventName: 'PostToolUseFailure', updatedToolOutput: 'no such row' } }),
        },
      ],
    },
    'claude-code',
  );
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize();
  raw.call('protocolError');
  expect((await raw.next())['error']).toEqual({ code: -32042, message: 'no such row' });
});

test('an objection of AfterTool and a system message are further texts', async () => {
  place = openPlace({
    AfterTool: [{ matcher: 'echo', command: says({ decision: 'deny', reason: 'Check it again.', systemMessage: 'Checked.' }) }],
  });
  const raw = new RawClient(place);
  client = raw;
  await raw.initialize();
  raw.call('echo');
  const { content } = (await raw.next())['result'] as { content: Json[] };
  expect(content[1]).toEqual({ type: 'text', text: 'Check it again.\n<hook_context>\nChecked.\n</hook_context>' });
  expect(textOf({ content })).toContain('"echo"');
  expect((await raw.close()).status).toBe(0);
  expect(raw.stderr).toContain('tenterhook-mcp files: AfterTool: Checked.\n');
});
