import { expect, test } from '@jest/globals';
import { adapterRules, requireAdapterOptions, toMcpContext } from '../../src/adapters/adapter-options.js';

test.each([
  [{ onMesage: () => {} }, 'adapter has no option "onMesage". Did you mean "onMessage"?'],
  [{ colour: 'red' }, 'adapter has no option "colour". Its options are ask, approvals, afterModel, onMessage, maxRetries, mcpServerOf.'],
  [{ toString: () => '' }, 'adapter has no option "toString".'],
  [{ ask: 'allow' }, 'adapter: "ask" must be a function, and is "allow".'],
  [{ approvals: true }, 'adapter: "approvals" must be "framework", and is true.'],
  [{ afterModel: 'late' }, 'adapter: "afterModel" must be "hold" or "observe", and is "late".'],
  [{ onMessage: null }, 'adapter: "onMessage" must be a function, and is null.'],
  [{ maxRetries: -1 }, 'adapter: "maxRetries" must be an integer from 0, and is -1.'],
  [{ mcpServerOf: 'files' }, 'adapter: "mcpServerOf" must be a function, and is "files".'],
  [() => {}, 'adapter: the options must be an object { ask, approvals, afterModel, onMessage, maxRetries, mcpServerOf }'],
  [null, 'adapter: the options must be an object'],
])('wrong options are a TypeError: %j', (options, message) => {
  expect(() => requireAdapterOptions('adapter', options)).toThrow(TypeError);
  expect(() => requireAdapterOptions('adapter', options)).toThrow(message);
});

test('options without a value, and none, are accepted', () => {
  requireAdapterOptions('adapter', undefined);
  requireAdapterOptions('adapter', { ask: undefined, approvals: 'framework', afterModel: 'hold', maxRetries: 0 });
});

test('an adapter accepts only the options that it passes', () => {
  const { ask, onMessage } = adapterRules;
  requireAdapterOptions('adapter', { ask: () => 'allow' }, { ask, onMessage });
  expect(() => requireAdapterOptions('adapter', { afterModel: 'hold' }, { ask, onMessage })).toThrow('adapter has no option "afterModel"');
});

test('the server of a tool becomes its MCP context', () => {
  expect(toMcpContext((name) => (name === 'read' ? 'files' : undefined), 'read')).toEqual({ server_name: 'files' });
  expect(toMcpContext(() => undefined, 'read')).toBeUndefined();
  expect(toMcpContext(undefined, 'read')).toBeUndefined();
});
