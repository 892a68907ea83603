import type { Heard, RelayEffect, RelayEvent, RelayFormat, RelayLoss, RelayVisits } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { join } from '../shared/paths.js';
import { createRelayFormat, type Saying, type Written } from '../shared/relay/create-relay-format.js';
import { shellCommand } from '../shared/relay/entry.js';
import { joined, type RelayIntent } from '../shared/relay/intent.js';
import { partsOfPatches, patchesIn } from '../shared/relay/patch-files.js';
import { textOfNewResult } from '../shared/relay/result.js';
import { type CopilotEvent, eventOfKey, factsOf, pascalKeyOf } from './input/event-table.js';
import { readInput } from './input/read-input.js';
import { type CopilotHost, mostContext } from './options.js';
import { callOfInput } from './tools/tool-call.js';
import { otherTools } from './tools/tool-table.js';

type Fields = Readonly<Record<string, unknown>>;
type HeardEvents = Extract<Heard, { kind: 'events' }>;

/** The events of the relay. `preMcpToolCall` is about the same call as `preToolUse`, and has no answer that decides. */
const powers: Readonly<Partial<Record<CopilotEvent, readonly RelayEffect[]>>> = {
  preToolUse: ['deny', 'ask', 'allow', 'input', 'context', 'user'],
  postToolUse: ['deny', 'result', 'context', 'user'],
  postToolUseFailure: ['deny', 'context', 'user'],
  userPromptSubmitted: ['deny', 'context', 'user'],
  agentStop: ['deny', 'user'],
  subagentStop: ['deny', 'user'],
  sessionStart: ['context', 'user'],
  sessionEnd: ['user'],
  preCompact: ['user'],
  notification: ['context', 'user'],
  permissionRequest: ['deny', 'allow', 'user'],
  subagentStart: ['context', 'user'],
  errorOccurred: ['user'],
};

/** Events that are installed only if asked for. */
const asked: readonly CopilotEvent[] = ['permissionRequest', 'subagentStart', 'errorOccurred'];

/** The keys have the spelling that the command line, the cloud agent and VS Code read. With both spellings, a hook would run twice. */
const events: Readonly<Record<string, RelayEvent>> = Object.fromEntries(
  (Object.entries(powers) as [CopilotEvent, readonly RelayEffect[]][]).map(([event, effects]): [string, RelayEvent] => [
    pascalKeyOf(event),
    { eventName: factsOf(event).eventName, install: asked.includes(event) ? 'asked' : 'always', powers: effects },
  ]),
);

/** VS Code and the command line name their events as Claude Code does. */
const visits: RelayVisits = {
  // VS Code names the event in two fields. The command line sends a time, and no transcript with the events of tools.
  wrote: ({ hookEventName, timestamp, transcript_path: transcript }) =>
    typeof hookEventName === 'string' || (typeof timestamp === 'string' && transcript === undefined),
  eventOf: (dialect, event) => (dialect === 'claude-code' && Object.hasOwn(events, event) ? event : undefined),
};

const cutMark = '… [truncated]';

/** Returns the way back: Copilot starts Tenterhook as its hook. */
export function relayOf(host: CopilotHost): RelayFormat {
  const format = createRelayFormat({
    agent: 'Copilot',
    strictJson: true,
    ownFile: 'tenterhook.json',
    afterInstall:
      'Restart Copilot. It runs hooks of a repository only in a trusted folder. Whether it obeys a denied prompt depends on its version.',
    laterHooks: 'An allow of a later hook may outweigh a deny of your guards: some versions of Copilot use the last decision.',
    unattended: [
      'With -p, Copilot runs entries of a repository in an untrusted folder only if GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS or COPILOT_ALLOW_ALL is true.',
      'In the cloud and in autopilot, Copilot denies what a guard asks about.',
    ],
    events,
    otherTools,
    // The command line also runs the hooks in the repository's settings of Claude Code.
    runsToo: ({ projectDir }) => ['.claude/settings.json', '.claude/settings.local.json'].map((file) => join(projectDir, file)),
    entry: (event, command, { timeoutMs }) => {
      const seconds = Math.ceil(timeoutMs / 1000);
      return {
        at: ['hooks', event],
        // The command line and VS Code have different names for the timeout.
        value: { type: 'command', command: shellCommand(command), timeoutSec: seconds, timeout: seconds },
        switches: [{ path: ['version'], value: 1 }],
      };
    },
    visits,
    read: (event, payload) => read(event, payload, host),
    parts: (_event, call) => partsOf(call),
    unwritable: (intent, heard) => unwritable(intent, heard, host),
    write: (saying) => write(saying, host),
  });
  const keyOf = (event: string) => {
    const known = eventOfKey(event);
    return known === undefined ? event : pascalKeyOf(known);
  };
  // An event with a small first letter has other fields, and the same answers.
  return {
    ...format,
    hear: (payload, event) => format.hear(payload, keyOf(event)),
    failed: (event, policy, message) => format.failed(keyOf(event), policy, message),
  };
}

/** The key of arguments that are a text instead of an object. */
const textKey = 'input';

/** Some models call tools with a text instead of arguments, such as the patch of `apply_patch`. A guard must see it, so it gets a key. */
function read(event: string, payload: Fields, host: CopilotHost): ReturnType<typeof readInput> {
  const { input, defaults } = readInput(event, payload, host);
  const { tool_input: given } = input;
  return { input: typeof given === 'string' ? { ...input, tool_input: { [textKey]: given } } : input, defaults };
}

/** The lists in the arguments of tools of VS Code. An entry that is not an object is the argument with the second key. */
const lists: ReadonlyMap<unknown, readonly [list: string, key: string]> = new Map([
  ['multi_replace_string_in_file', ['replacements', 'filePath']],
  ['editFiles', ['files', 'filePath']],
  ['fetch_webpage', ['urls', 'url']],
]);

/**
 * Returns the parts of a call about several files or pages, each as a call of the same tool, so that guards are asked under the same names. A
 * tool that edits, and also creates files and shows them, is judged as both.
 */
function listedIn(call: Fields): readonly Fields[] {
  const { tool_name: name, tool_input: given } = call;
  const input: Fields = isPlainObject(given) ? given : {};
  const { command, path: file_path, file_text: content } = input;
  const partOf = (tool_input: Fields, tool = name): Fields => ({ ...call, tool_name: tool, tool_input: omitUndefined(tool_input) });
  if (name === 'str_replace_editor' && command === 'create') return [call, partOf({ file_path, content }, 'write_file')];
  if (name === 'str_replace_editor' && command === 'view') return [call, partOf({ file_path }, 'read_file')];
  const [list, key] = lists.get(name) ?? [];
  if (list === undefined || key === undefined) return [];
  const { [list]: entries, ...others } = input;
  const all: readonly unknown[] = entries === undefined || entries === null ? [] : [entries].flat();
  return all.map((entry) => partOf(isPlainObject(entry) ? entry : { ...others, [key]: entry }));
}

function partsOf(call: Fields): readonly Fields[] {
  const listed = listedIn(call);
  return listed.length > 0 ? listed : partsOfPatches(call);
}

/** New arguments are lost if the given ones are a text. The keys of the parts of a call are not those of the call. */
function unwritable({ inputs }: RelayIntent, { event, payload }: HeardEvents, host: CopilotHost): readonly RelayLoss[] {
  if (inputs.every((input) => input === undefined)) return [];
  const { input } = readInput(event, payload, host);
  if (typeof input['tool_input'] !== 'string' && patchesIn(input).length === 0 && listedIn(input).length === 0) return [];
  return [{ effect: 'input', message: 'The change of a patch or of an entry of a list by a hook cannot be written back for Copilot.' }];
}

/** Tests whether VS Code wrote an input. It reads answers in other places than the command line. */
function isOfVsCode(payload: Fields): boolean {
  return typeof payload['hookEventName'] === 'string' || typeof payload['tool_use_id'] === 'string';
}

function write({ event, eventName, intent, heard }: Saying, host: CopilotHost): Written {
  const { kind, reason } = intent;
  const isDenied = kind === 'deny';
  const isAfter = eventName === 'AfterTool';
  const user = joined([intent.user, intent.everyone]);
  const isVsCode = heard !== undefined && isOfVsCode(heard.payload);
  const answer = omitUndefined({
    ...decisionOf(eventName, kind, reason),
    modifiedArgs: eventName !== 'BeforeTool' || isDenied || heard === undefined ? undefined : nativeInput(intent.inputs[0], heard, host),
    modifiedResult: intent.result === undefined ? undefined : { resultType: 'success', textResultForLlm: textOfNewResult(intent.result) },
    additionalContext: cut(joined([intent.context, isAfter && isDenied ? reason : ''])) || undefined,
  });
  // Without an input it is not known who asks. Both read an object with the deny in both places.
  if (heard === undefined && isDenied) return { answer: { ...answer, hookSpecificOutput: { hookEventName: event, ...answer } } };
  if (!isVsCode) return { answer, before: user === '' ? [] : [{ type: 'progress', message: user }] };
  const { modifiedArgs: updatedInput, ...others } = answer;
  const specific = omitUndefined({ ...others, updatedInput });
  return {
    answer: omitUndefined({
      systemMessage: user || undefined,
      hookSpecificOutput: Object.keys(specific).length === 0 ? undefined : { hookEventName: event, ...specific },
    }),
  };
}

/** Returns the fields of a decision, which are others on each kind of event. */
function decisionOf(eventName: RelayEvent['eventName'], kind: Saying['intent']['kind'], reason: string): Fields {
  if (kind === 'none') return {};
  switch (eventName) {
    case 'BeforeTool':
      return { permissionDecision: kind, permissionDecisionReason: reason || undefined };
    case 'PermissionRequest':
      return kind === 'ask' ? {} : { behavior: kind, message: kind === 'deny' ? reason : undefined };
    case 'BeforeAgent':
    case 'AfterAgent':
    case 'SubagentStop':
      return kind === 'deny' ? { decision: 'block', reason } : {};
    default:
      return {};
  }
}

function nativeInput(rewritten: Fields | undefined, { inputs }: HeardEvents, host: CopilotHost): Fields | undefined {
  if (rewritten === undefined) return undefined;
  const call = callOfInput({ ...inputs[0]?.input, tool_input: rewritten }, host);
  return isPlainObject(call?.input) ? call.input : rewritten;
}

function cut(context: string): string {
  return context.length <= mostContext ? context : `${context.slice(0, mostContext - cutMark.length)}${cutMark}`;
}
