import type { HookDefinition, HookEvent, Invocation } from '@tenterhook/protocol';
import { fillInHeaders } from '../../shared/header-variables.js';
import { refusedCall } from '../../shared/tools/tool-call.js';
import type { CopilotHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { callOfInput } from '../tools/tool-call.js';
import { createEnvironment } from './environment.js';
import { factsOf } from './event-table.js';
import { payloadOf } from './payload.js';

/** Returns what to run or call for a hook, with the event in Copilot's format. */
export function invocation(
  event: HookEvent,
  hook: HookDefinition,
  environment: Readonly<Record<string, string>>,
  host: CopilotHost,
): Invocation {
  const { event: name, runs } = dataOf(hook);
  const isBefore = factsOf(name).ofTool === true && event.input['tool_response'] === undefined;
  const refused = isBefore ? refusedCall(callOfInput(event.input, host)) : undefined;
  if (refused !== undefined) return refused;
  const payload = payloadOf(event, hook.dialectEvent, host);
  switch (runs.kind) {
    case 'command':
      return {
        kind: 'command',
        command: runs.command,
        cwd: hook.cwd ?? event.projectDir,
        env: createEnvironment(event, hook, environment),
        stdin: JSON.stringify(payload),
      };
    case 'http': {
      const allowed = hook.action.kind === 'http' ? hook.action.allowedEnvVars : [];
      return { kind: 'http', url: runs.url, headers: fillInHeaders(runs.headers, allowed, environment), body: JSON.stringify(payload) };
    }
    case 'host':
      return { kind: 'host', type: runs.type, data: runs.data, input: payload };
  }
}
