import {
  type Heard,
  type HookEventName,
  type RelayEffect,
  type RelayEvent,
  type RelayFormat,
  type RelayLoss,
  relayEffects,
} from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { createRelayFormat, type Saying, type Written } from '../shared/relay/create-relay-format.js';
import { groupEntry, relayName, shellCommand } from '../shared/relay/entry.js';
import { joined, type RelayIntent } from '../shared/relay/intent.js';
import { textOfNewResult, withNewText } from '../shared/relay/result.js';
import { type ClaudeEvent, claudeEvents, factsOf } from './input/event-table.js';
import { readInput } from './input/read-input.js';
import type { ClaudeHost } from './options.js';
import { callOfInput } from './tools/tool-call.js';
import { otherTools } from './tools/tool-table.js';

type Fields = Readonly<Record<string, unknown>>;
type HeardEvents = Extract<Heard, { kind: 'events' }>;

/** The events for which entries are installed unless the user names others. */
const usual: readonly ClaudeEvent[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'UserPromptSubmit',
  'Stop',
  'SubagentStop',
  'SessionStart',
  'SessionEnd',
  'PreCompact',
  'Notification',
];

/** What an answer does besides the effects that follow from the fields of the event. */
const more: Readonly<Partial<Record<ClaudeEvent, readonly RelayEffect[]>>> = {
  PreToolUse: ['ask', 'allow', 'input'],
  PermissionRequest: ['deny', 'allow', 'input'],
  PostToolUse: ['result'],
};

/** Claude Code waits for all hooks at the end of a session together, and not for long. */
const sessionEndMs = 5000;

const events: Readonly<Record<string, RelayEvent>> = Object.fromEntries(
  (Object.keys(claudeEvents) as ClaudeEvent[]).map((event) => [event, reachOf(event)]),
);

function reachOf(event: ClaudeEvent): RelayEvent {
  const { eventName, rejects, fields } = factsOf(event);
  const effects: readonly RelayEffect[] = [
    ...(rejects === true ? (['deny'] as const) : []),
    ...(more[event] ?? []),
    ...(event === 'SessionEnd' ? [] : (['stop'] as const)),
    ...(fields.includes('additionalContext') ? (['context'] as const) : []),
    'user',
  ];
  return {
    eventName,
    install: usual.includes(event) ? 'always' : 'asked',
    powers: relayEffects.filter((effect) => effects.includes(effect)),
    ...(event === 'SessionEnd' ? { maxTimeoutMs: sessionEndMs } : {}),
  };
}

/** Returns the way back: Claude Code starts Tenterhook as its hook. */
export function relayOf(host: ClaudeHost): RelayFormat {
  return createRelayFormat({
    agent: 'Claude Code',
    strictJson: true,
    afterInstall: 'Start a new session; /hooks lists the entries.',
    unattended: ['With -p there is no prompt. Claude Code decides what an ask then means.'],
    events,
    otherTools,
    entry: (event, command, { timeoutMs, onFailure }) =>
      groupEntry(event, {
        type: 'command',
        ...(command.shell === undefined ? { command: command.program, args: command.args } : { command: shellCommand(command) }),
        timeout: Math.ceil(timeoutMs / 1000),
        ...(onFailure === 'closed' ? { onFailure: 'block' } : {}),
        statusMessage: relayName,
      }),
    read: (event, payload) => readInput(event, payload, host),
    unwritable,
    write: (saying) => write(saying, host),
  });
}

/** New arguments answer a request for permission only as a part of an allow. */
function unwritable({ kind, inputs }: RelayIntent, { event }: HeardEvents): readonly RelayLoss[] {
  if (event !== 'PermissionRequest' || kind === 'allow' || inputs.every((input) => input === undefined)) return [];
  return [{ effect: 'input', message: `Claude Code takes new arguments on ${event} only with an allow, and no hook allowed it.` }];
}

/** Events that only exit code 2 rejects. */
const rejectedByExit: readonly HookEventName[] = ['PreCompress', 'TaskCreated', 'TaskCompleted', 'TeammateIdle', 'ConfigChange'];

function write({ event, eventName, intent, heard }: Saying, host: ClaudeHost): Written {
  const { kind, stop, stopReason, user, everyone } = intent;
  if (kind === 'deny' && rejectedByExit.includes(eventName)) return { exit: 2, stderr: `${intent.reason}\n` };
  const isBefore = event === 'PreToolUse';
  const decided = stop && (isBefore || event === 'UserPromptSubmit' || event === 'PermissionRequest') ? 'deny' : kind;
  const reason =
    stop && decided === 'deny' ? joined([kind === 'deny' ? intent.reason : '', stopReason || 'A hook stopped the agent.']) : intent.reason;
  // A block after the last answer makes the agent go on, which a stop forbids.
  const isBlocked = decided === 'deny' && !isBefore && event !== 'PermissionRequest' && !(stop && event.endsWith('Stop'));
  const [rewritten] = intent.inputs;
  const updatedInput =
    rewritten === undefined || decided === 'deny' || heard === undefined ? undefined : nativeInput(heard.inputs[0]?.input, rewritten, host);
  const context = joined([intent.context, events[event]?.powers.includes('context') ? everyone : '']);
  const specific = omitUndefined({
    ...(isBefore && decided !== 'none' ? { permissionDecision: decided, permissionDecisionReason: reason || undefined } : {}),
    ...(event === 'PermissionRequest' ? { decision: requestDecision(decided, reason, updatedInput) } : { updatedInput }),
    updatedToolOutput:
      intent.result === undefined ? undefined : withNewText(heard?.payload['tool_response'], textOfNewResult(intent.result)),
    additionalContext: context || undefined,
  });
  return {
    answer: omitUndefined({
      continue: stop ? false : undefined,
      stopReason: stop ? stopReason || undefined : undefined,
      decision: isBlocked ? 'block' : undefined,
      reason: isBlocked ? reason : undefined,
      systemMessage: joined([user, everyone]) || undefined,
      hookSpecificOutput: Object.keys(specific).length === 0 ? undefined : { hookEventName: event, ...specific },
    }),
  };
}

function requestDecision(decided: string, message: string, updatedInput: Fields | undefined): Fields | undefined {
  if (decided === 'deny') return { behavior: 'deny', message };
  return decided === 'allow' ? omitUndefined({ behavior: 'allow', updatedInput }) : undefined;
}

function nativeInput(input: Fields | undefined, rewritten: Fields, host: ClaudeHost): Fields {
  const call = callOfInput({ ...input, tool_input: rewritten }, host);
  return isPlainObject(call?.input) ? call.input : rewritten;
}
