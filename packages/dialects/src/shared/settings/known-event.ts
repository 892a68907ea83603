import { type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';

/** Names of the events at other agents, in lower case without separators: users bring their hooks from there (field failure 20). */
const foreignNames: Readonly<Partial<Record<HookEventName, readonly string[]>>> = {
  BeforeTool: ['pretooluse', 'pretoolcall', 'premcptoolcall', 'beforeshellexecution', 'beforemcpexecution', 'beforereadfile'],
  AfterTool: ['posttooluse', 'posttoolusefailure', 'posttoolcall', 'aftershellexecution', 'aftermcpexecution', 'afterfileedit'],
  BeforeAgent: ['userpromptsubmit', 'userpromptsubmitted', 'beforesubmitprompt', 'prerequest', 'preprompt'],
  AfterAgent: ['stop', 'agentstop', 'postrequest', 'postprompt'],
  BeforeModel: ['generatestart'],
  AfterModel: ['generateend', 'afteragentresponse'],
  SessionStart: ['chatstart'],
  SessionEnd: ['chatend'],
  PreCompress: ['precompact'],
  PostCompress: ['postcompact'],
  SubagentStop: ['subagentpostrequest'],
  StopFailure: ['erroroccurred'],
};

/**
 * The event of a name in another case, with separators, or of another agent. Foreign names are in a table, because their edit distance misleads:
 * "Stop" is nearest to "HostStart", and PreToolUse is near to BeforeToolSelection.
 */
export function sameEvent(name: string): { readonly eventName: HookEventName; readonly isForeign: boolean } | undefined {
  const letters = name.toLowerCase().replace(/[_ -]/g, '');
  const own = hookEventNames.find((eventName) => eventName.toLowerCase() === letters);
  if (own !== undefined) return { eventName: own, isForeign: false };
  const foreign = hookEventNames.find((eventName) => foreignNames[eventName]?.includes(letters));
  return foreign === undefined ? undefined : { eventName: foreign, isForeign: true };
}

/** The remedy for the name of an event that does not exist. `among`: the canonical events that the format has. */
export function remedyForEvent(name: string, among: readonly HookEventName[] = hookEventNames): string {
  const found = sameEvent(name);
  const same = found !== undefined && among.includes(found.eventName) ? found : undefined;
  if (same?.isForeign === true) return `Other agents use that name; here it is "${same.eventName}".`;
  const nearest = same?.eventName ?? nearestName(name, among);
  return nearest === undefined ? `The events are ${among.join(', ')}.` : `Did you mean "${nearest}"?`;
}
