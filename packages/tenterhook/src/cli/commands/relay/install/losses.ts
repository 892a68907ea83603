import { eventEntry, type HookEventName, type RelayEffect, type RelayEvent, type RelayPolicy } from '@tenterhook/protocol';
import { escapeForTerminal } from '../../../../output/terminal/escape.js';
import type { Guarded } from '../answer/guarded-events.js';
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
  input: 'have its arguments rewritten',
  result: 'have its result rewritten',
  prompt: 'have the prompt rewritten',
  model: 'have the request or answer of the model rewritten',
  tools: 'have its tools selected',
  context: 'add text for the model',
  user: 'show text to the user',
};

/** A rewrite that is lost denies the operation, unless the user has chosen a warning. */
const deniedIfLost: Readonly<Partial<Record<RelayEffect, string>>> = {
  input: ' (such a call is denied)',
  prompt: ' (such a prompt is denied)',
};

/** The largest number of guards that a line names. */
const namedGuards = 5;
/** The longest id of a guard that is shown. */
const maxId = 100;

/** Returns a line for each event, with what the agent cannot carry out, and the guards that this concerns. */
export function lossLines(
  { relay }: RelayedDialect,
  events: readonly string[],
  { byEvent }: Pick<Guarded, 'byEvent'>,
  { ask, onLoss }: Pick<RelayPolicy, 'ask' | 'onLoss'>,
): string {
  const lines = events.flatMap((event) => {
    const { eventName, powers, asksSometimes } = relay.events[event] as RelayEvent;
    const can: readonly RelayEffect[] = asksSometimes && ask === 'native' ? [...powers, 'ask'] : powers;
    const missing = wanted(eventName).filter((effect) => !can.includes(effect));
    if (missing.length === 0) return [];
    const what = missing.map((effect) => `${words[effect]}${onLoss === 'deny' ? (deniedIfLost[effect] ?? '') : ''}`).join('; ');
    return [`  ${event} cannot ${what}${guardsIn(byEvent.get(eventName) ?? [])}`];
  });
  return lines.length === 0 ? '' : `What ${relay.agent} cannot carry out:\n${lines.join('\n')}\n`;
}

function guardsIn(guards: readonly { readonly id: string }[]): string {
  if (guards.length === 0) return '';
  const named = guards.slice(0, namedGuards).map(({ id }) => escapeForTerminal(id, maxId));
  const more = guards.length - named.length;
  return `. Your guards: ${named.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}
