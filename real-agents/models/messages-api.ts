import type { Fields } from '../agents/json-lines.js';
import type { ModelApi, ModelTurn, Script } from './scripted-model.js';

const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

/** The API of Anthropic's models, which Claude Code asks, and Copilot, if it is configured to do so. */
export const messagesApi: ModelApi = {
  path: '/v1/messages',
  events: (turn, id) => [
    {
      type: 'message_start',
      message: {
        id: `msg-${id}`,
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    },
    ...blockOf(turn, id),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'text' in turn ? 'end_turn' : 'tool_use', stop_sequence: null }, usage },
    { type: 'message_stop' },
  ],
};

function blockOf(turn: ModelTurn, id: string) {
  const at = { index: 0 };
  if ('text' in turn) {
    return [
      { type: 'content_block_start', ...at, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', ...at, delta: { type: 'text_delta', text: turn.text } },
    ];
  }
  return [
    { type: 'content_block_start', ...at, content_block: { type: 'tool_use', id, name: turn.tool, input: {} } },
    { type: 'content_block_delta', ...at, delta: { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) } },
  ];
}

/** What the model reads as the last result of a call. */
export function resultIn({ messages }: Fields): Fields | undefined {
  const contents = ((Array.isArray(messages) ? messages : []) as readonly Fields[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as readonly Fields[]) : [],
  );
  return contents.findLast(({ type }) => type === 'tool_result');
}

/** Calls a tool in answer to the first request, and then says that it is done. Requests without tools are about other things, such as titles. */
export function callOnce(call: ModelTurn): Script {
  return (request) => (resultIn(request) === undefined && Array.isArray(request['tools']) ? call : { text: 'done' });
}
