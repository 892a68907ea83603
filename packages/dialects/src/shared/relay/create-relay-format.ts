import type { Heard, HookEventName, RelayAnswer, RelayEffect, RelayEvent, RelayFormat, RelayLoss, RelayPolicy } from '@tenterhook/protocol';
import { isAfterwards } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { type OtherTools, otherToolsOf } from '../tools/other-tools.js';
import { type Hearing, hear } from './hear.js';
import { intentOf, joined, noIntent, type RelayIntent } from './intent.js';
import { withinReach } from './obey.js';

type Fields = Readonly<Record<string, unknown>>;
type HeardEvents = Extract<Heard, { kind: 'events' }>;

/** What is to be written: only what the agent can carry out is left in `intent`. */
export interface Saying {
  readonly event: string;
  readonly eventName: HookEventName;
  readonly intent: RelayIntent;
  /** Missing if the input could not be read. */
  readonly heard?: HeardEvents;
}

/** An answer in the agent's own fields. */
export interface Written {
  /** Objects that are printed before the answer, each on a line of its own. @default none */
  readonly before?: readonly Fields[];
  /** @default nothing is printed */
  readonly answer?: Fields;
  /** @default 0 */
  readonly exit?: number;
  /** @default empty */
  readonly stderr?: string;
}

/** What is different from agent to agent. `createRelayFormat` does the rest. */
export interface RelayShape
  extends Pick<
      RelayFormat,
      | 'agent'
      | 'strictJson'
      | 'entry'
      | 'accepted'
      | 'runsToo'
      | 'visits'
      | 'ownFile'
      | 'afterInstall'
      | 'laterHooks'
      | 'unattended'
      | 'sameCall'
      | 'unread'
    >,
    Omit<Hearing, 'events'> {
  readonly events: Readonly<Record<string, RelayEvent>>;
  /** Tools of the agent that are not in its table of tools. @default only those with the name of a known tool of any agent */
  readonly otherTools?: OtherTools;
  /** Returns rewrites that the agent can carry out in general, but not this one. @default none */
  readonly unwritable?: (intent: RelayIntent, heard: HeardEvents) => readonly RelayLoss[];
  readonly write: (saying: Saying) => Written;
}

export function createRelayFormat(shape: RelayShape): RelayFormat {
  const { agent, strictJson, entry, accepted, events, runsToo, visits, ownFile, sameCall, unread, unwritable, write } = shape;
  const { afterInstall, laterHooks, unattended } = shape;

  const answer = (event: string, given: RelayIntent, policy: RelayPolicy, heard?: HeardEvents): RelayAnswer => {
    const known = events[event];
    if (known === undefined) return { exit: 0, stdout: '', stderr: line(given.user), losses: [] };
    const { eventName } = known;
    const powers: readonly RelayEffect[] = known.asksSometimes && policy.ask === 'native' ? [...known.powers, 'ask'] : known.powers;
    const reach = {
      agent,
      event,
      powers,
      blocks: !isAfterwards(eventName),
      ends: eventName === 'AfterAgent' || eventName === 'SubagentStop',
    };
    const { intent, losses } = withinReach(given, heard === undefined ? [] : (unwritable?.(given, heard) ?? []), reach, policy);
    const isShown = powers.includes('user');
    const shown = isShown ? intent : { ...intent, user: '', everyone: '' };
    const unshown = isShown ? '' : joined([intent.user, intent.everyone]);
    const written = write({ event, eventName, intent: shown, ...(heard === undefined ? {} : { heard }) });
    return {
      exit: written.exit ?? 0,
      stdout: [...(written.before ?? []), ...(written.answer === undefined ? [] : [written.answer])]
        .map((object) => line(JSON.stringify(object)))
        .join(''),
      stderr: written.stderr ?? line(unshown),
      losses,
    };
  };

  return {
    agent,
    ...omitUndefined({ strictJson, accepted, runsToo, visits, ownFile, afterInstall, laterHooks, unattended, sameCall, unread }),
    otherTools: otherToolsOf(shape.otherTools),
    events,
    entry: (event, command, options) => {
      const timeoutMs = Math.min(options.timeoutMs, events[event]?.maxTimeoutMs ?? options.timeoutMs);
      return entry(event, command, { ...options, timeoutMs });
    },
    hear: (payload, event) => hear(payload, event, shape),
    say: (results, heard, policy) => {
      if (heard.kind === 'events') return answer(heard.event, intentOf(results, heard.inputs.length), policy, heard);
      return answer(heard.kind === 'neutral' ? heard.event : '', noIntent, policy);
    },
    failed: (event, policy, message) => {
      const known = events[event];
      // The answers of an unknown event are unknown. All agents read this exit code as a deny, where they can deny.
      if (known === undefined && policy.onFailure === 'closed') return { exit: 2, stdout: '', stderr: line(message), losses: [] };
      const isDenied = policy.onFailure === 'closed' && known?.powers.includes('deny') === true && !isAfterwards(known.eventName);
      return answer(event, isDenied ? { ...noIntent, kind: 'deny', reason: message } : { ...noIntent, user: message }, policy);
    },
    can: (eventName) => [...new Set(Object.values(events).flatMap((each) => (each.eventName === eventName ? each.powers : [])))],
  };
}

function line(text: string): string {
  return text === '' ? '' : `${text}\n`;
}
