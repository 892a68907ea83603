import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { refusedCall } from '../../shared/tools/tool-call.js';
import type { CursorHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { createEnvironment } from './environment.js';
import { factsOf } from './event-table.js';
import { payloadOf } from './payload.js';

/** Returns what to run or call for a hook, with the event in Cursor's format. */
export function invocation(
  event: HookEvent,
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: CursorHost,
): Invocation {
  const { event: name, runs } = dataOf(hook);
  const refused = factsOf(name).eventName === 'BeforeTool' ? refusedCall(callOfInput(event.input, host)) : undefined;
  if (refused !== undefined) return refused;
  const payload = payloadOf(event, name, host);
  if (runs.kind === 'host') return { kind: 'host', type: runs.type, data: runs.data, input: payload };
  return {
    kind: 'command',
    command: { kind: 'shell', text: runs.text },
    cwd: hook.cwd ?? event.projectDir,
    env: createEnvironment(event, hook, environment, host),
    stdin: JSON.stringify(payload),
  };
}
