import { expect, test } from '@jest/globals';
import { createHooks } from 'tenterhook';
import { type AdapterMessage, tellMessage, tellMessages, toNotes, toolEvents } from '../../src/adapters/adapter-messages.js';
import { createHookClient } from '../../src/client/hook-client.js';
import { executeToolWithHooks } from '../../src/tool/execute-tool-with-hooks.js';

const says = (fields: object) => ({ hooks: [{ type: 'command', command: `echo '${JSON.stringify(fields)}'` }] });

test('each message names its event and for whom it is', async () => {
  await using hooks = await createHooks({
    settings: { hooks: { BeforeTool: [says({ systemMessage: 'before' })], AfterTool: [says({ systemMessage: 'after' })] } },
  });
  const finished = await executeToolWithHooks(createHookClient(hooks), {
    name: 'read_file',
    input: {},
    execute: () => ({ llmContent: 'text' }),
  });
  const received: AdapterMessage[] = [];
  const messages = { ...finished, userMessages: ['late'] };
  tellMessages((message) => received.push(message), messages, toolEvents(finished));
  expect(received).toEqual([
    { text: 'before', audience: 'everyone', eventName: 'BeforeTool' },
    { text: 'after', audience: 'everyone', eventName: 'AfterTool' },
    { text: 'late', audience: 'user', eventName: 'AfterTool' },
  ]);
  expect(toNotes(finished)).toEqual(['<hook_context>\nbefore\n</hook_context>', '<hook_context>\nafter\n</hook_context>']);
});

test('what onMessage throws, and a promise that rejects, is ignored', async () => {
  const message = { text: 'text', audience: 'user', eventName: 'AfterTool' } as const;
  tellMessage(() => {
    throw new Error('broken');
  }, message);
  tellMessage(
    (async () => {
      throw new Error('broken');
    }) as unknown as () => void,
    message,
  );
  tellMessage(undefined, message);
  // An unhandled rejection ends the process in the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
});
