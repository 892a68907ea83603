import { type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';

/** The names of each event in other agents, from which users copy their hooks (field failure 20). */
const foreignNames: Readonly<Partial<Record<HookEventName, readonly string[]>>> = {
  BeforeTool: ['PreToolUse', 'preToolCall', 'preMcpToolCall', 'beforeShellExecution', 'beforeMCPExecution', 'beforeReadFile'],
  AfterTool: ['PostToolUse', 'PostToolUseFailure', 'postToolCall', 'afterShellExecution', 'afterMCPExecution', 'afterFileEdit'],
  BeforeAgent: ['UserPromptSubmit', 'userPromptSubmitted', 'beforeSubmitPrompt', 'preRequest', 'prePrompt'],
  AfterAgent: ['Stop', 'agentStop', 'postRequest', 'postPrompt'],
  BeforeModel: ['generateStart'],
  AfterModel: ['generateEnd', 'afterAgentResponse'],
  SessionStart: ['chatStart'],
  SessionEnd: ['chatEnd'],
  PreCompress: ['preCompact'],
  PostCompress: ['postCompact'],
  SubagentStop: ['subagentPostRequest'],
};

/**
 * The canonical event by the letters of its name in another agent. For example, `preToolCall` and `pre_tool_call` have the same
 * letters.
 */
const byForeignLetters: ReadonlyMap<string, HookEventName> = new Map(
  hookEventNames.flatMap((eventName) => (foreignNames[eventName] ?? []).map((name) => [lettersOf(name), eventName] as const)),
);

/**
 * Finds the event of a name that differs in case or separators, or that is another agent's name. The names of other agents are in a
 * table, because similarity misleads: "Stop" is most similar to "HostStart", and "PreToolUse" is similar to "BeforeToolSelection".
 */
export function sameEvent(name: string): { readonly eventName: HookEventName; readonly isForeign: boolean } | undefined {
  const letters = lettersOf(name);
  const own = hookEventNames.find((eventName) => eventName.toLowerCase() === letters);
  if (own !== undefined) return { eventName: own, isForeign: false };
  const foreign = byForeignLetters.get(letters);
  return foreign === undefined ? undefined : { eventName: foreign, isForeign: true };
}

/**
 * The event that a misspelt name probably means. `nearest` is the most similar known name. If `nearest` is not a name of the
 * format, `eventName` is the canonical event for it.
 */
export interface MisspelledEvent {
  readonly nearest: string;
  readonly eventName?: HookEventName;
}

/**
 * Finds the event that a misspelt name probably means. `own` are the names of the format. The name is compared with the names of
 * all agents: `PreTolUse`, for example, is similar to another agent's name, but not to a canonical name.
 */
export function misspelledEvent(name: string, own: readonly string[]): MisspelledEvent | undefined {
  const nearest = nearestName(name, [...own, ...hookEventNames, ...Object.values(foreignNames).flat()]);
  if (nearest === undefined || own.includes(nearest)) return nearest === undefined ? undefined : { nearest };
  const eventName = sameEvent(nearest)?.eventName;
  return eventName === undefined ? undefined : { nearest, eventName };
}

/**
 * Returns the remedy for a misspelt name, or undefined if the format does not have the event. `nameOf` returns the format's name of
 * a canonical event.
 */
export function formatMisspelled(
  found: MisspelledEvent | undefined,
  nameOf: (eventName: HookEventName) => string | undefined,
): string | undefined {
  if (found === undefined) return undefined;
  if (found.eventName === undefined) return `Did you mean "${found.nearest}"?`;
  const own = nameOf(found.eventName);
  return own === undefined ? undefined : `Did you mean "${found.nearest}"? In this format that event is "${own}".`;
}

/** Returns the remedy for a name that is not an event. `among` are the canonical events that the format has. */
export function remedyForEvent(name: string, among: readonly HookEventName[] = hookEventNames): string {
  const found = sameEvent(name);
  const same = found !== undefined && among.includes(found.eventName) ? found : undefined;
  if (same?.isForeign === true) return `Other agents use that name; in this format it is "${same.eventName}".`;
  if (same !== undefined) return `Did you mean "${same.eventName}"?`;
  const nameOf = (eventName: HookEventName) => (among.includes(eventName) ? eventName : undefined);
  return formatMisspelled(misspelledEvent(name, among), nameOf) ?? `The events are ${among.join(', ')}.`;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[_ -]/g, '');
}
