import type { RelayEffect, RelayEvent, RelayFormat } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { createRelayFormat, type Saying, type Written } from '../shared/relay/create-relay-format.js';
import { relayName, shellCommand } from '../shared/relay/entry.js';
import { joined } from '../shared/relay/intent.js';
import { removedKeys } from '../shared/relay/removed-keys.js';
import { textOfNewResult } from '../shared/relay/result.js';
import { isText } from '../shared/text.js';
import { type EcaType, ecaTypes } from './input/event-table.js';
import { readInput } from './input/read-input.js';
import type { EcaHost } from './options.js';
import { toEcaKeys } from './tools.js';

type Fields = Readonly<Record<string, unknown>>;

const powers: Readonly<Record<EcaType, readonly RelayEffect[]>> = {
  sessionStart: [],
  sessionEnd: [],
  chatStart: ['stop', 'context', 'user'],
  chatEnd: [],
  preRequest: ['deny', 'stop', 'prompt', 'context', 'user'],
  postRequest: ['deny', 'stop', 'user'],
  preToolCall: ['deny', 'ask', 'allow', 'stop', 'input', 'context', 'user'],
  postToolCall: ['deny', 'stop', 'result', 'context', 'user'],
  subagentStart: ['context', 'user'],
  subagentPostRequest: ['deny', 'stop', 'user'],
  preCompact: ['deny', 'user'],
  postCompact: ['user'],
};

/** Types that are installed only if asked for. */
const asked: readonly EcaType[] = ['subagentStart', 'subagentPostRequest', 'postCompact'];

const events: Readonly<Record<string, RelayEvent>> = Object.fromEntries(
  (Object.keys(ecaTypes) as EcaType[]).map((type) => [
    type,
    { eventName: ecaTypes[type].eventName, install: asked.includes(type) ? 'asked' : 'always', powers: powers[type] },
  ]),
);

/** Returns the way back: ECA starts Tenterhook as its hook. */
export function relayOf(host: EcaHost): RelayFormat {
  return createRelayFormat({
    agent: 'ECA',
    afterInstall: 'ECA reads the entries at once.',
    events,
    // ECA runs hooks in the order of their keys. The last one judges what the others rewrote.
    entry: (type, command, { timeoutMs }) => ({
      at: ['hooks'],
      key: `zz-${relayName}-${type}`,
      value: {
        type,
        visible: false,
        ...(type === 'postToolCall' ? { runOnError: true } : {}),
        actions: [{ type: 'shell', shell: shellCommand(command), timeout: timeoutMs }],
      },
    }),
    read: (type, payload) => {
      const { input, defaults } = readInput(type, payload, host);
      const [folder] = Array.isArray(payload['workspaces']) ? payload['workspaces'] : [];
      return { input, defaults: { ...defaults, ...(isText(folder) ? { cwd: folder } : {}) } };
    },
    unwritable: (intent, heard) => removedKeys(intent, heard, 'ECA'),
    write: (saying) => write(saying, host),
  });
}

function write({ eventName, intent, heard }: Saying, host: EcaHost): Written {
  const { kind, stop, stopReason, reason } = intent;
  const isDenied = kind === 'deny';
  if (eventName === 'PreCompress' && isDenied) return { exit: 2, stderr: `${reason}\n` };
  const isBefore = eventName === 'BeforeTool';
  const isFollowUp = isDenied && !stop && (eventName === 'AfterAgent' || eventName === 'SubagentStop');
  const isFeedback = isDenied && eventName === 'AfterTool';
  // A prompt has no approval: it is denied by a stop.
  const stops = stop || (isDenied && eventName === 'BeforeAgent');
  const approval = isBefore ? (stop ? 'deny' : kind === 'none' ? undefined : kind) : undefined;
  const why = joined([isDenied ? reason : '', stop ? stopReason : '']) || 'A hook stopped this.';
  const [rewritten] = intent.inputs;
  return {
    answer: omitUndefined({
      continue: stops ? false : undefined,
      stopReason: stops ? why : undefined,
      approval,
      // With a deny, this field is the reason alone. With an ask it is the question, and context too.
      additionalContext: additionalContext(),
      updatedInput:
        rewritten === undefined || approval === 'deny' || heard === undefined
          ? undefined
          : nativeInput(heard.inputs[0]?.input, rewritten, host),
      replacedOutput: intent.result === undefined ? undefined : textOfNewResult(intent.result),
      replacedPrompt: stops ? undefined : intent.prompt,
      followUp: isFollowUp ? reason : undefined,
      systemMessage: joined([intent.user, intent.everyone]) || undefined,
    }),
  };

  function additionalContext(): string | undefined {
    if (approval === 'deny') return why;
    return joined([approval === 'ask' || isFeedback ? reason : '', stops ? '' : intent.context]) || undefined;
  }
}

/** Returns arguments under ECA's keys. A tool that ECA's table does not have was heard with its own keys. */
function nativeInput(input: Fields | undefined, rewritten: Fields, host: EcaHost): Fields {
  const name = input?.['tool_name'];
  if (typeof name !== 'string' || host.tools.kindOf(name) === undefined) return rewritten;
  const keys = toEcaKeys({ ...input, tool_input: rewritten }, host);
  return isPlainObject(keys) ? keys : rewritten;
}
