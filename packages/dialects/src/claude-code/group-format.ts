import { type HookEventName, isHookEventName } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import { matcherField } from '../shared/matching.js';
import type { GroupFormat, KeyedEvent } from '../shared/settings/group-format.js';
import { sameEvent } from '../shared/settings/known-event.js';
import { formatValue } from '../shared/text.js';
import { type ClaudeEvent, canonicalEvents, claudeEvents, isClaudeEvent } from './input/event-table.js';
import { matcherLanguage } from './lint/matchers.js';
import { allHandlerFields } from './settings/handler-types.js';
import { type ClaudeGroup, eventOfKey, type ParseOptions } from './settings/parse-context.js';
import { invalidHookOf, readHook } from './settings/read-hook.js';
import { knownToolNames } from './tool-names.js';

const names = Object.keys(claudeEvents) as ClaudeEvent[];

/** `{ "hooks": { event: [ { matcher, "hooks": [ hook ] } ] } }` as Claude Code has it. */
export function groupFormat(options: ParseOptions): GroupFormat<ClaudeGroup> {
  const language = matcherLanguage(options.host);
  return {
    eventOf: (key) => (isClaudeEvent(key) ? eventNameOf(key, options) : undefined),
    meantEvent,
    remedyForEvent,
    isOtherKey: (key) => key === 'disableAllHooks',
    misplacedPlaces: [[], ['Hooks'], ['hook'], ['hooks', 'hooks'], ['permissions', 'hooks']],
    exampleEvent: 'PreToolUse',
    groupFields: ['matcher', 'hooks'],
    hookFields: allHandlerFields,
    isHookLike: (value) => ['command', 'url', 'prompt'].some((field) => typeof value[field] === 'string') || value['type'] === 'mcp_tool',
    showHook,
    readGroup(fields, path, context) {
      const { problem, ...group } = matcherField(fields['matcher'], path, context, language);
      return { group, ...(problem === undefined ? {} : { invalidGroup: problem }) };
    },
    readHook: (value, index, context) => readHook(value, index, context, options),
    invalidHook: (problem, last, context) => invalidHookOf(problem, last, context, options),
  };
}

function eventNameOf(key: ClaudeEvent, options: ParseOptions): HookEventName {
  return canonicalEvents[eventOfKey({ dialectEvent: key }, options)] as HookEventName;
}

/** The event in other letters, or under its name at another agent. */
function meantEvent(name: string): KeyedEvent | undefined {
  const own = names.find((event) => letters(event) === letters(name));
  const eventName = own === undefined ? sameEvent(name)?.eventName : claudeEvents[own].eventName;
  const dialectEvent = own ?? names.find((event) => claudeEvents[event].eventName === eventName);
  return eventName === undefined || dialectEvent === undefined ? undefined : { eventName, dialectEvent };
}

function remedyForEvent(key: string): string {
  const meant = meantEvent(key)?.dialectEvent;
  if (meant !== undefined && letters(meant) !== letters(key)) return `What other agents call "${key}" is "${meant}" here.`;
  if (knownToolNames.includes(key)) return `It is the name of a tool: write "PreToolUse": [ { "matcher": "${key}", "hooks": [ … ] } ].`;
  const nearest = meant ?? nearestName(key, names);
  if (nearest !== undefined) return `Did you mean "${nearest}"?`;
  return isHookEventName(key)
    ? `Claude Code has no event like it; write the hook in the format of LLxprt Code.`
    : `Events are ${names.join(', ')}.`;
}

function showHook({ command, url, prompt }: Readonly<Record<string, unknown>>): string {
  if (typeof url === 'string') return `{ "type": "http", "url": ${formatValue(url)} }`;
  if (typeof prompt === 'string') return `{ "type": "prompt", "prompt": ${formatValue(prompt)} }`;
  return `{ "type": "command", "command": ${formatValue(command ?? '…')} }`;
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[_ -]/g, '');
}
