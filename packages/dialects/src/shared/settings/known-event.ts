import { type HookEventName, hookEventNames } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';

/** What other agents call our events, in letters alone; people bring their hooks from there (field failure 20). */
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
 * The event that was written in other letters, or under its name at another agent. A table and not a distance between texts:
 * "Stop" is as near to "HostStart" as to nothing, and PreToolUse nearer to BeforeToolSelection than one would like.
 */
export function sameEvent(name: string): { readonly eventName: HookEventName; readonly isForeign: boolean } | undefined {
  const letters = name.toLowerCase().replace(/[_ -]/g, '');
  const own = hookEventNames.find((eventName) => eventName.toLowerCase() === letters);
  if (own !== undefined) return { eventName: own, isForeign: false };
  const foreign = hookEventNames.find((eventName) => foreignNames[eventName]?.includes(letters));
  return foreign === undefined ? undefined : { eventName: foreign, isForeign: true };
}

/** What to say about an event that does not exist. `among`: the canonical events that the format has. */
export function remedyForEvent(name: string, among: readonly HookEventName[] = hookEventNames): string {
  const found = sameEvent(name);
  const same = found !== undefined && among.includes(found.eventName) ? found : undefined;
  if (same?.isForeign === true) return `What other agents call "${name}" is "${same.eventName}" here.`;
  const nearest = same?.eventName ?? nearestName(name, among);
  return nearest === undefined ? `Events are ${among.join(', ')}.` : `Did you mean "${nearest}"?`;
}
