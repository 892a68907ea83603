import { eventEntry, type HookEventName, type HookTrust, hookEventNames, type ShownAction } from '@tenterhook/protocol';
import { formatAction, formatHookFacts, type HookFacts, isOnlyInAgent } from './hook-facts.js';
import { markedLine, paragraph, type ReportStyle, shortenPath, shortenPaths } from './report-style.js';

/** A configured hook as `tenterhook list` prints it. */
export interface ListedHook extends ShownAction, HookFacts {
  readonly hookId: string;
  readonly eventName: string;
  readonly name?: string;
  readonly description?: string;
  readonly state: 'on' | 'off' | 'disabled' | 'invalid' | 'untrusted' | 'condition';
  readonly reason?: string;
  /** The decision about the hook. Set only if the hook comes with the project or runs files of the project. */
  readonly trust?: HookTrust['state'];
}

/** Formats the hooks by event, in the order of the catalogue. */
export function renderHookList(hooks: readonly ListedHook[], style: ReportStyle): string[] {
  return hookEventNames.flatMap((eventName) => {
    const own = hooks.filter((hook) => hook.eventName === eventName);
    return own.length === 0 ? [] : [headOf(eventName, style), ...own.flatMap((hook) => linesOf(hook, style))];
  });
}

/** Returns a legend of the marks that are printed before these hooks. Returns `''` if all hooks are on. */
export function explainListMarks(hooks: readonly ListedHook[]): string {
  return hooks.every(({ state }) => state === 'on') ? '' : '● on   ○ does not run';
}

/**
 * Returns the headline of an event, with a note if only some agents fire the event. The note explains to users why their hook never runs.
 */
function headOf(eventName: HookEventName, { paint }: ReportStyle): string {
  const name = paint('bold', eventName);
  return eventEntry(eventName).firedBy === 'host' ? `${name}  (fired only by an agent that publishes it itself)` : name;
}

function linesOf(hook: ListedHook, style: ReportStyle): string[] {
  const state = isOnlyInAgent({ skipReason: hook.state, type: hook.type }) ? 'only in an agent' : hook.state;
  const isOn = state === 'on';
  const look = isOn ? 'green' : state === 'invalid' ? 'red' : 'yellow';
  const below = (text: string, dim = false) => paragraph(text, { indent: 6, look: dim ? 'dim' : 'plain', max: 400 }, style);
  const facts = { ...hook, file: hook.file === undefined ? undefined : shortenPath(hook.file, style) };
  return [
    ...markedLine({ mark: isOn ? '●' : '○', look, hookId: hook.hookId, said: isOn ? '' : `(${state})` }, style),
    ...(hook.description === undefined ? [] : below(hook.description)),
    ...formatAction(hook).flatMap((line) => below(line)),
    ...below(formatHookFacts(facts, style), true),
    ...(hook.reason === undefined ? [] : below(shortenPaths(hook.reason, style))),
  ];
}
