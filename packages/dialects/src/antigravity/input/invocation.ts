import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import { oncePerInput } from '../../shared/per-input.js';
import { isText, isTexts } from '../../shared/text.js';
import { refusedCall } from '../../shared/tools/tool-call.js';
import type { AntigravityHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import type { AntigravityEvent } from './event-table.js';
import { hostFields, writeFields } from './payload.js';

type Fields = Readonly<Record<string, unknown>>;
type Environment = Readonly<Record<string, string>>;

/** Returns what to run for a hook, with the event in Antigravity's format. */
export function invocation(event: HookEvent, hook: HookDefinition, environment: Environment, host: AntigravityHost): Invocation {
  const { event: name } = dataOf(hook);
  const refused = name === 'PreToolUse' ? refusedCall(callOfInput(event.input, host)) : undefined;
  if (refused !== undefined) return refused;
  const { session_id: conversation } = event.input;
  const isUsable = isText(conversation) && !conversation.includes('\0');
  return {
    kind: 'command',
    command: { kind: 'shell', text: hook.action.kind === 'command' ? hook.action.command : '' },
    cwd: hook.cwd ?? event.projectDir,
    env: { ...environment, ...(isUsable ? { ANTIGRAVITY_CONVERSATION_ID: conversation } : {}) },
    stdin: JSON.stringify(payloadOf(event, name, host)),
  };
}

const payloadsOf = oncePerInput((_input, _host: AntigravityHost) => new Map<string, Fields>());

/** Returns the object that a hook of this event reads on stdin. Hooks with the same input share one object. */
export function payloadOf(hookEvent: HookEvent, event: AntigravityEvent, host: AntigravityHost): Fields {
  const payloads = payloadsOf(hookEvent.input, host);
  const key = `${event}\n${hookEvent.projectDir}`;
  let payload = payloads.get(key);
  if (payload === undefined) {
    // Fields that a host adds do not replace those of every event.
    const common = commonFields(hookEvent, host);
    payload = { ...common, ...writeFields(hookEvent, event, host), ...common };
    payloads.set(key, payload);
  }
  return payload;
}

function commonFields({ input, projectDir }: HookEvent, { model }: AntigravityHost): Fields {
  const { [hostFields.workspacePaths]: roots } = input;
  return omitUndefined({
    conversationId: input['session_id'],
    workspacePaths: isTexts(roots) && roots.length > 0 ? roots : [projectDir],
    transcriptPath: input['transcript_path'],
    artifactDirectoryPath: input[hostFields.artifactDirectoryPath] ?? '',
    modelName: isText(input['model_name']) ? input['model_name'] : model,
  });
}
