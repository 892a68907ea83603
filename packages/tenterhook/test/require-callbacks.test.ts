import { createHooks } from '../src/create-hooks.js';
import { requireCallbacks } from '../src/require-callbacks.js';

const answer = () => ({});

test.each([undefined, {}, { prompt: answer }, { prompt: answer, agent: answer, mcp_tool: answer }, { look_at_screen: answer }])(
  'callbacks may be %p',
  (callbacks) => {
    expect(() => requireCallbacks(callbacks)).not.toThrow();
  },
);

test.each([
  ['promt', 'prompt'],
  ['Agent', 'agent'],
  ['mcpTool', 'mcp_tool'],
  ['mcp-tool', 'mcp_tool'],
])('a slip in the name of a callback, "%s", is a TypeError that has the right one', (slip, right) => {
  expect(() => requireCallbacks({ [slip]: answer })).toThrow(TypeError);
  expect(() => requireCallbacks({ [slip]: answer })).toThrow(`createHooks: "callbacks" has no "${slip}". Did you mean "${right}"?`);
});

test.each([
  [{ callbacks: { prompt: 'gpt' } }, 'createHooks: "callbacks.prompt" must be a function, and is gpt.'],
  [{ callbacks: [] }, 'createHooks: "callbacks" must be'],
  [{ circuitBreaker: { failures: 0 } }, 'createHooks: "circuitBreaker.failures" must be'],
  [{ http: true }, 'createHooks: "http" must be { allowPrivateAddresses }'],
  [{ http: { allowPrivateAddress: true } }, 'createHooks: "http" has no option "allowPrivateAddress"'],
  [{ http: { allowPrivateAddresses: '127.0.0.1' } }, 'createHooks: "http.allowPrivateAddresses" must be true, false or an array'],
])('what is none, %j, is a TypeError of createHooks', async (options, message) => {
  await expect(createHooks({ settings: {}, ...(options as object) })).rejects.toThrow(TypeError);
  await expect(createHooks({ settings: {}, ...(options as object) })).rejects.toThrow(message);
});
