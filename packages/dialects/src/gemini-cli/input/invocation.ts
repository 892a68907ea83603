import { type Dialect, eventEntry, type HookEvent } from '@tenterhook/protocol';
import { stdinText } from '../../shared/input.js';
import type { GeminiHost } from '../options.js';
import { findRivalArguments, namesInInput, toHookInput } from '../tools.js';
import { createEnvironment } from './environment.js';
import { geminiEvent } from './event-table.js';

const baseFields = ['session_id', 'transcript_path', 'cwd', 'hook_event_name', 'timestamp'];

/**
 * Returns the function that describes the command of a hook. The command is the text in the settings, and the shell expands it
 * (decision 30). The hook reads the event as one JSON object on stdin.
 */
export function createInvocation(host: GeminiHost): Dialect['invocation'] {
  const stdinOf = stdinText((event) => toStdinFields(event, host));

  return (event, hook, environment) => {
    if (hook.action.kind !== 'command') throw new TypeError(`a Gemini CLI hook must be a command, and is "${hook.action.kind}"`);
    // Tested only before the tool runs, because afterwards it is too late to refuse the call.
    const rivals = event.eventName === 'BeforeTool' ? findRivalArguments(event.input, host) : undefined;
    if (rivals !== undefined) {
      const [one, other] = rivals.map((key) => JSON.stringify(key));
      const reason = `${one} and ${other} are two names of one argument, and have different values. The tool may read either. Pass only one of them.`;
      return { kind: 'refused', reason };
    }
    return {
      kind: 'command',
      command: { kind: 'shell', text: hook.action.command },
      cwd: event.input.cwd,
      env: createEnvironment(event, hook, environment, host),
      stdin: stdinOf(event),
    };
  };
}

/**
 * Returns the fields that Gemini CLI would send, and fields that the host adds. Canonical fields that Gemini CLI does not have are
 * left out.
 */
export function toStdinFields(event: HookEvent, host: GeminiHost): Readonly<Record<string, unknown>> {
  const shared = baseFields.flatMap((field) => (Object.hasOwn(event.input, field) ? [[field, event.input[field]]] : []));
  return { ...Object.fromEntries(shared), ...writeFields(event, host) };
}

/** Returns the fields that only this event has. */
export function writeFields({ eventName, input }: HookEvent, host: GeminiHost): Readonly<Record<string, unknown>> {
  const known = eventEntry(eventName).input.shape;
  const { fields } = geminiEvent(eventName);
  const kept = Object.entries(input).filter(([field]) => fields.includes(field) || !Object.hasOwn(known, field));
  const name = namesInInput(input, host)?.[0];
  if (name === undefined) return Object.fromEntries(kept);
  const toolInput = toHookInput(input, name, host);
  return { ...Object.fromEntries(kept), tool_name: name, ...(toolInput === undefined ? {} : { tool_input: toolInput }) };
}
