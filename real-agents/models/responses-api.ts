import type { ModelApi, ModelTurn } from './scripted-model.js';

const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };

/** The API of OpenAI's models, which Codex asks. */
export const responsesApi: ModelApi = {
  path: '/responses',
  events: (turn, id) => [
    { type: 'response.created', response: { id: `response-${id}` } },
    { type: 'response.output_item.done', item: itemOf(turn, id) },
    { type: 'response.completed', response: { id: `response-${id}`, usage } },
  ],
};

function itemOf(turn: ModelTurn, id: string) {
  if ('text' in turn)
    return { type: 'message', role: 'assistant', id: `message-${id}`, content: [{ type: 'output_text', text: turn.text }] };
  // Tools with a text in place of arguments are called with that text.
  const { input, tool } = turn;
  if (typeof input['text'] === 'string') return { type: 'custom_tool_call', call_id: id, name: tool, input: input['text'] };
  return { type: 'function_call', call_id: id, name: tool, arguments: JSON.stringify(input) };
}
