import type { Heard, HookDefinition, RelayEffect, RelayEvent, RelayFormat, RelayLoss } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { absolutePath, join } from '../shared/paths.js';
import { createRelayFormat, type Saying, type Written } from '../shared/relay/create-relay-format.js';
import { groupEntry, relayName, shellCommand } from '../shared/relay/entry.js';
import { joined, type RelayIntent } from '../shared/relay/intent.js';
import { partsOfPatch, readFilesOfPatch } from '../shared/relay/patch-files.js';
import { textOfNewResult } from '../shared/relay/result.js';
import { type CodexEvent, codexEventNames, factsOf, isCodexEvent } from './input/event-table.js';
import { readInput } from './input/read-input.js';
import type { CodexHost } from './options.js';
import { dataOf } from './settings/hook-data.js';
import { configFile, userFolder } from './settings/locations.js';
import { writePatch } from './tools/patch.js';
import { callOfInput, patchTool } from './tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;
type HeardEvents = Extract<Heard, { kind: 'events' }>;

const powers: Readonly<Record<CodexEvent, readonly RelayEffect[]>> = {
  PreToolUse: ['deny', 'input', 'context', 'user'],
  PermissionRequest: ['deny', 'allow', 'user'],
  PostToolUse: ['deny', 'stop', 'result', 'context', 'user'],
  UserPromptSubmit: ['deny', 'stop', 'context', 'user'],
  Stop: ['deny', 'stop', 'user'],
  SessionStart: ['stop', 'context', 'user'],
  SessionEnd: [],
  PreCompact: ['user'],
  PostCompact: ['user'],
  SubagentStart: ['context', 'user'],
  SubagentStop: ['deny', 'stop', 'user'],
  Interrupt: ['user'],
};

/** Events that are installed only if asked for. */
const asked: readonly CodexEvent[] = ['PermissionRequest', 'SubagentStart', 'PostCompact', 'Interrupt'];

const events: Readonly<Record<string, RelayEvent>> = Object.fromEntries(
  codexEventNames.map((event): [string, RelayEvent] => {
    const { eventName, maxTimeoutS } = factsOf(event);
    const limit = maxTimeoutS === undefined ? {} : { maxTimeoutMs: maxTimeoutS * 1000 };
    return [event, { eventName, install: asked.includes(event) ? 'asked' : 'always', powers: powers[event], ...limit }];
  }),
);

/** Returns the way back: Codex starts Tenterhook as its hook. */
export function relayOf(host: CodexHost): RelayFormat {
  return createRelayFormat({
    agent: 'Codex',
    strictJson: true,
    afterInstall:
      'Restart Codex, and accept the entries in /hooks: Codex does not run them before. A rewrite of arguments is written with the word allow, as Codex requires.',
    unattended: [
      'Codex runs entries without acceptance only with its option --dangerously-bypass-hook-trust. To accept them, run tenterhook relay install --agent codex --trust.',
    ],
    events,
    otherTools: { exec_command: { as: 'run_shell_command', keys: { cmd: 'command' } } },
    entry: (event, command, { timeoutMs }) =>
      groupEntry(event, {
        type: 'command',
        command: shellCommand(command),
        timeout: Math.ceil(timeoutMs / 1000),
        statusMessage: relayName,
      }),
    accepted: (hooks, places) => ({ file: join(userFolder(places), configFile), toml: hooks.map(reviewOf).join('\n') }),
    read: (event, payload) => {
      const read = readInput(event, payload, host);
      // A patch is taken apart later, with all of its files.
      const whole = payload['tool_name'] === patchTool ? { tool_name: patchTool, tool_input: payload['tool_input'] } : {};
      return { ...read, input: { ...read.input, ...whole } };
    },
    parts: (_event, call) => partsOfPatch(call, patchIn(call)),
    unwritable: unwritableInput,
    write: (saying) => write(saying, host),
  });
}

/** What Codex writes into the user's settings after its user has reviewed a hook. */
function reviewOf(hook: HookDefinition): string {
  const { review } = dataOf(hook);
  return review === undefined ? '' : `[hooks.state.${JSON.stringify(review.key)}]\ntrusted_hash = ${JSON.stringify(review.hash)}\n`;
}

/** A new input is lost if it belongs to a part of a patch that cannot be put back. */
function unwritableInput(intent: RelayIntent, heard: HeardEvents): readonly RelayLoss[] {
  if (!intent.inputs.some((input) => input !== undefined) || patchIn(heard.payload) === undefined) return [];
  if (nativePatch(intent, heard) !== undefined) return [];
  return [{ effect: 'input', message: 'The change of a patch by a hook cannot be written back into the patch for Codex.' }];
}

function nativePatch({ inputs }: RelayIntent, { payload, inputs: heard }: HeardEvents): Fields | undefined {
  const [patch, [rewritten], [only, ...others]] = [patchIn(payload), inputs, heard];
  if (patch === undefined || rewritten === undefined || only === undefined || others.length > 0) return undefined;
  // A patch that could not be read is passed whole, and comes back whole.
  if (only.input['tool_name'] === patchTool) return rewritten;
  const text = rewrittenPatch(patch, rewritten, typeof only.input['cwd'] === 'string' ? only.input['cwd'] : '');
  const given = payload['tool_input'] as Fields;
  return text === undefined ? undefined : { ...given, [typeof given['command'] === 'string' ? 'command' : 'input']: text };
}

function nativeInput(intent: RelayIntent, heard: HeardEvents, host: CodexHost): Fields | undefined {
  const [rewritten] = intent.inputs;
  if (rewritten === undefined) return undefined;
  if (patchIn(heard.payload) !== undefined) return nativePatch(intent, heard);
  const call = callOfInput({ ...heard.inputs[0]?.input, tool_input: rewritten }, host);
  return isPlainObject(call?.input) ? call.input : rewritten;
}

/** Writes only keys that Codex's strict reader accepts on the event. Nothing at all means no opinion. */
function write({ event, eventName, intent, heard }: Saying, host: CodexHost): Written {
  if (!isCodexEvent(event) || event === 'SessionEnd') return {};
  const { kind, reason, stop, stopReason, result } = intent;
  const isBefore = event === 'PreToolUse';
  const isAfter = event === 'PostToolUse';
  const isDenied = kind === 'deny';
  const isBlocked = isDenied && !isBefore && !isAfter && event !== 'PermissionRequest' && !(stop && event.endsWith('Stop'));
  const input = !isBefore || isDenied || heard === undefined ? undefined : nativeInput(intent, heard, host);
  const permission = isDenied
    ? { permissionDecision: 'deny', permissionDecisionReason: reason }
    : input === undefined
      ? {}
      : { permissionDecision: 'allow' };
  const specific = omitUndefined({
    ...(isBefore ? { ...permission, updatedInput: input } : {}),
    ...(event === 'PermissionRequest' ? { decision: requestDecision(kind, reason) } : {}),
    additionalContext: joined([intent.context, isAfter && isDenied ? reason : '']) || undefined,
  });
  const answer = omitUndefined({
    continue: stop ? false : undefined,
    stopReason: stop ? stopReason || undefined : undefined,
    ...(isBlocked ? { decision: 'block', reason } : {}),
    ...(isAfter && result !== undefined
      ? { decision: 'block', reason: textOfNewResult(result).trim() === '' ? 'A hook removed this result.' : textOfNewResult(result) }
      : {}),
    systemMessage: joined([intent.user, intent.everyone]) || undefined,
    hookSpecificOutput: Object.keys(specific).length === 0 ? undefined : { hookEventName: event, ...specific },
  });
  const isSilent = Object.keys(answer).length === 0 && eventName !== 'AfterAgent' && eventName !== 'SubagentStop';
  return isSilent ? {} : { answer };
}

function requestDecision(kind: RelayIntent['kind'], message: string): Fields | undefined {
  if (kind === 'deny') return { behavior: 'deny', message };
  return kind === 'allow' ? { behavior: 'allow' } : undefined;
}

/** Returns the text of a patch in the arguments of `apply_patch`, or undefined for any other call. */
function patchIn({ tool_name: name, tool_input: given }: Fields): string | undefined {
  const { command, input } = (given ?? {}) as Fields;
  const patch = command ?? input;
  return name === patchTool && typeof patch === 'string' ? patch : undefined;
}

/** Returns the patch for one added file whose arguments hooks rewrote. Undefined if the patch does anything else. */
function rewrittenPatch(patch: string, rewritten: Fields, cwd: string): string | undefined {
  const { files: [only, ...others] = [], hasEnvironment } = readFilesOfPatch(patch) ?? {};
  const { file_path: file, content, ...more } = rewritten;
  if (only?.verb !== 'Add' || others.length > 0 || hasEnvironment === true) return undefined;
  if (typeof file !== 'string' || typeof content !== 'string' || Object.keys(more).length > 0 || /[\r\n]/.test(file)) return undefined;
  return writePatch({ kind: 'write', file: file === absolutePath(only.file, cwd) ? only.file : file, content });
}
