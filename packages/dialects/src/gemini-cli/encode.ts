import { eventEntry, type HookDefinition, type HookEvent, type Invocation, isPlainObject } from '@tenterhook/protocol';
import { stdinText } from '../input/stdin-text.js';
import { environmentOf } from './environment.js';
import { geminiEvent } from './events.js';
import { withFile } from './file-key.js';
import type { GeminiHost } from './options.js';
import { namesInInput } from './tool-names.js';

const baseFields = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'];

const stdinOf = stdinText(fieldsOf);

/** What runs: the command as it was written, for the shell to expand (decision 30), with the event as one JSON object on stdin. */
export function invocation(
  event: HookEvent,
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: GeminiHost,
): Invocation {
  if (hook.action.kind !== 'command') throw new TypeError(`a hook of Gemini CLI is a command and not "${hook.action.kind}"`);
  return {
    kind: 'command',
    command: { kind: 'shell', text: hook.action.command },
    cwd: event.input.cwd,
    env: environmentOf(event, hook, environment, host),
    stdin: stdinOf(event),
  };
}

/** What Gemini CLI would send, and what the host adds of its own. Fields of the catalogue that it does not have are for hooks of others. */
function fieldsOf({ eventName, input }: HookEvent): Readonly<Record<string, unknown>> {
  const known = eventEntry(eventName).input.shape;
  const told = [...baseFields, ...geminiEvent(eventName).fields];
  const kept = Object.entries(input).filter(([field]) => told.includes(field) || !Object.hasOwn(known, field));
  const name = namesInInput(input)?.[0];
  if (name === undefined) return Object.fromEntries(kept);
  const toolInput = input['tool_input'];
  return {
    ...Object.fromEntries(kept),
    tool_name: name,
    ...(isPlainObject(toolInput) ? { tool_input: withFile(name, toolInput) } : {}),
  };
}
