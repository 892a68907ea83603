import { callModelWithHooks, createHookClient, executeToolWithHooks } from '@tenterhook/agent';
import type { CreateHooksOptions } from 'tenterhook';
import { recordingTool } from '../../support/agent.js';
import { type HookText, says, withEndingHooks } from '../../support/fire-hooks.js';
import { type PlainRequest, plainTranslator } from '../../support/plain-translator.js';

export const group = (hooks: readonly HookText[], fields: object = {}) => ({
  ...fields,
  hooks: hooks.map((hook) => (typeof hook === 'string' ? { command: hook } : hook)),
});
export const onEvent = (eventName: string, ...groups: object[]): CreateHooksOptions => ({ settings: { hooks: { [eventName]: groups } } });

/** Runs a tool that prints a secret. */
export async function readSecret(options: CreateHooksOptions) {
  return withEndingHooks(options, async ({ hooks }) => {
    const tool = recordingTool({ llmContent: 'the key is hunter2', returnDisplay: 'hunter2' });
    return executeToolWithHooks(createHookClient(hooks), { name: 'read_file', input: { path: 'a' }, ...tool });
  });
}

/** Calls a model whose answer contains a secret and a tool call. */
export async function askModel(options: CreateHooksOptions) {
  return withEndingHooks(options, async ({ hooks }) => {
    const request: PlainRequest = { model: 'm-1', messages: [{ role: 'user', content: 'hello' }], tools: [] };
    return callModelWithHooks(createHookClient(hooks), { request, translator: plainTranslator(), call: () => ({ text: 'hunter2' }) });
  });
}

export const redacts = says({ hookSpecificOutput: { updatedToolOutput: 'the key is …' } });
