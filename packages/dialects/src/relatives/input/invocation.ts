import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { refusedCall } from '../../shared/tools/tool-call.js';
import type { RelativeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { payloadOf } from './payload.js';

type Environment = Readonly<Record<string, string>>;

/** Returns what to run or call for a hook, with the event in the agent's format. */
export function invocation(event: HookEvent, hook: HookDefinition, environment: Environment, host: RelativeHost): Invocation {
  const { event: name, runs, env } = dataOf(hook);
  const isBefore = host.product.events[name]?.ofTool && event.input['tool_response'] === undefined;
  const refused = isBefore ? refusedCall(callOfInput(event.input, host)) : undefined;
  if (refused !== undefined) return refused;
  const payload = payloadOf(event, name, host);
  if (runs.kind === 'host') return { kind: 'host', type: runs.type, data: withEvent(runs.data, JSON.stringify(payload)), input: payload };
  return {
    kind: 'command',
    command: runs.command,
    cwd: host.product.startsInProject ? event.projectDir : event.input.cwd,
    env: { ...environment, ...variablesOf(event, name, host), ...env },
    stdin: JSON.stringify(payload),
  };
}

/** A process could not start with a value that an environment cannot contain, so such a value is left out. */
function variablesOf({ input, projectDir }: HookEvent, event: string, host: RelativeHost): Environment {
  const toolName = callOfInput(input, host)?.name;
  const variables = Object.entries(host.product.variables({ event, input, projectDir, toolName }));
  return Object.fromEntries(
    variables.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '' && !entry[1].includes('\0')),
  );
}

/** Replaces `$ARGUMENTS` in a prompt by the event, or appends the event to a prompt without `$ARGUMENTS`. */
function withEvent(data: Readonly<Record<string, unknown>>, event: string): Readonly<Record<string, unknown>> {
  const { prompt } = data;
  if (typeof prompt !== 'string') return data;
  return { ...data, prompt: prompt.includes('$ARGUMENTS') ? prompt.split('$ARGUMENTS').join(event) : `${prompt}\n\n${event}` };
}
