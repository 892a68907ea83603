import type { Decoded, HookDefinition, HookEvent, HookEventName, HookOutput } from '@tenterhook/protocol';
import { type AnswerFormat, answerWords, decodeCommand, type ReadOutput } from '../../../src/parts.js';
import { eventOf } from '../../event-of.js';
import { exitOf, type Printed } from '../../printed.js';

/**
 * A format of no real agent, to test the shared parts alone: `{ "say": { "verdict": "deny" }, "why": "…" }`. With exit code 2, `hint` is
 * the reason; otherwise it is context. For the event "bell", exit code 2 rejects nothing.
 */
export const invented: AnswerFormat = {
  what: 'An invented hook',
  words: answerWords({ decisions: [['say', 'verdict'], ['verdict']], values: ['deny', 'ask', 'allow'], ownFields: ['hint'] }),
  read,
  ofText: (text, { event }) => ({ output: { systemMessage: `${event.eventName}: ${text}` } }),
  rejects: ({ dialectEvent }) => dialectEvent !== 'bell',
  relativePaths: 'a relative one counts from the moon',
};

interface Answer {
  readonly say?: { readonly verdict?: 'deny' | 'ask' | 'allow' };
  readonly why?: string;
  readonly hint?: string;
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly more?: Readonly<Record<string, unknown>>;
}

function read(object: Readonly<Record<string, unknown>>, _: unknown, rejects: boolean): ReadOutput {
  const { say, why, hint, continue: goesOn, stopReason, more } = object as Answer;
  const reason = rejects ? hint : why;
  const specific = { ...(hint === undefined || rejects ? {} : { additionalContext: hint }), ...more };
  const output: HookOutput = {
    ...(say?.verdict === undefined ? {} : { decision: say.verdict }),
    ...(reason === undefined ? {} : { reason }),
    ...(goesOn === undefined ? {} : { continue: goesOn }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(Object.keys(specific).length === 0 ? {} : { hookSpecificOutput: specific }),
  };
  return { output, warnings: 'odd' in object ? [{ code: 'no_effect', message: 'odd' }] : [] };
}

export interface Asked {
  readonly format?: Partial<AnswerFormat>;
  readonly dialectEvent?: string;
  readonly eventName?: HookEventName;
}

/** Decodes an exit of a hook named "guard". */
export function decoded(printed: Printed, { format, dialectEvent = 'call', eventName = 'BeforeTool' }: Asked = {}): Decoded {
  const event: HookEvent = eventOf(eventName);
  return decodeCommand(exitOf(printed), event, guardOf(eventName, dialectEvent), { ...invented, ...format });
}

export function guardOf(eventName: HookEventName, dialectEvent: string): HookDefinition {
  return {
    id: `invented/project/${eventName}/guard`,
    dialect: 'invented',
    source: 'project',
    eventName,
    dialectEvent,
    name: 'guard',
    timeoutMs: 1000,
    onError: 'continue',
    action: { kind: 'command', command: './guard.sh' },
    dialectData: undefined,
  };
}

/** Formats an answer as a hook prints it. */
export function says(value: Answer | object): string {
  return JSON.stringify(value);
}

export const deny = { say: { verdict: 'deny' } };
export const ask = { say: { verdict: 'ask' } };
export const allow = { say: { verdict: 'allow' } };
