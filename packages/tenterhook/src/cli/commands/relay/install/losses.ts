import { eventEntry, type HookEventName, type RelayEffect } from '@tenterhook/protocol';
import type { RelayedDialect } from '../relayed-agent.js';

/** What guards may want on an event, by the canonical rules. */
function wanted(eventName: HookEventName): readonly RelayEffect[] {
  const { may, rewrites } = eventEntry(eventName);
  const ofRewrites: Readonly<Record<string, RelayEffect>> = {
    tool_input: 'input',
    updatedToolOutput: 'result',
    replacedPrompt: 'prompt',
    llm_request: 'model',
    llm_response: 'model',
    toolConfig: 'tools',
  };
  return [
    ...(may.block === false ? [] : (['deny'] as const)),
    ...(eventName === 'BeforeTool' ? (['ask'] as const) : []),
    ...(may.stop ? (['stop'] as const) : []),
    ...new Set(rewrites.flatMap(({ field }) => ofRewrites[field] ?? [])),
    ...(may.inject ? (['context'] as const) : []),
  ];
}

const words: Readonly<Record<RelayEffect, string>> = {
  deny: 'be denied',
  ask: 'ask the user (an ask is a deny)',
  allow: 'be allowed',
  stop: 'stop the agent',
  input: 'have its arguments rewritten (such a call is denied)',
  result: 'have its result rewritten',
  prompt: 'have the prompt rewritten (such a prompt is denied)',
  model: 'have the request or answer of the model rewritten',
  tools: 'have its tools selected',
  context: 'add text for the model',
  user: 'show text to the user',
};

/** Returns a line for each event, with what the agent cannot carry out. */
export function lossLines({ relay }: RelayedDialect, events: readonly string[]): string {
  const lines = events.flatMap((event) => {
    const { eventName } = relay.events[event] as { readonly eventName: HookEventName };
    const powers = relay.can(eventName);
    const missing = wanted(eventName).filter((effect) => !powers.includes(effect));
    return missing.length === 0 ? [] : [`  ${event} cannot ${missing.map((effect) => words[effect]).join('; ')}`];
  });
  return lines.length === 0 ? '' : `What ${relay.agent} cannot carry out:\n${lines.join('\n')}\n`;
}
