import type { ReadInput } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { toToolResponse, unknownFailure } from '../../shared/tool-response.js';
import { withHostCall } from '../../shared/tools/tool-call.js';
import type { RelativeHost } from '../options.js';

type Fields = Readonly<Record<string, unknown>>;

/** Converts the stdin of a hook back into canonical fields. This is the inverse of `payloadOf`. */
export function readInput(event: string, given: Fields, host: RelativeHost): ReadInput {
  const { product, tools } = host;
  const facts = product.events[event];
  if (facts === undefined) return { input: given, defaults: {} };
  const { workspace_roots: roots } = given;
  const [root] = Array.isArray(roots) ? roots : [];
  const named = omitUndefined({ cwd: root, ...omitUndefined(product.canonical?.(given) ?? {}) });
  const known = withoutOwnNames({ ...named, ...given }, host);
  const input = facts.ofTool ? withHostCall(known, tools.toHostCall) : known;
  return { input: omitUndefined(readFields(facts.eventName, facts.result, input)), defaults: defaults[facts.eventName] ?? {} };
}

/** Values for fields that these agents do not all send. */
const defaults: Readonly<Record<string, Fields>> = {
  AfterTool: { tool_response: {} },
  AfterAgent: { prompt: '', prompt_response: '', stop_hook_active: false },
  Notification: { details: {}, notification_type: 'idle_prompt', message: '' },
  SubagentStart: { agent_id: '', agent_type: '' },
  SubagentStop: { agent_id: '', agent_type: '', stop_hook_active: false },
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'other' },
  PreCompress: { trigger: 'auto' },
  PostCompress: { trigger: 'auto' },
  PermissionDenied: { reason: '' },
};

/** Removes the fields whose values have canonical names. */
function withoutOwnNames(fields: Fields, { product }: RelativeHost): Fields {
  const probe = Object.fromEntries(Object.keys(fields).map((name) => [name, name]));
  const replaced = new Set(Object.values(omitUndefined(product.canonical?.(probe) ?? {})));
  const own = Object.entries(product.common({ event: '', input: probe, projectDir: '', mode: '' })).map(([name]) => name);
  const isDouble = (name: string) => replaced.has(name) || (/[A-Z]/.test(name) && own.includes(name));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isDouble(name)));
}

function readFields(eventName: string, result: 'success' | 'failure' | undefined, input: Fields): Fields {
  switch (eventName) {
    case 'AfterTool': {
      const { tool_output: output, tool_error: failed, error, ...others } = input;
      if (result === 'failure') return { ...others, tool_response: toToolResponse(input['tool_response'], error ?? unknownFailure) };
      return {
        ...input,
        ...(output === undefined && failed === undefined ? {} : others),
        tool_response: readResult(input['tool_response'], output, failed),
      };
    }
    case 'AfterAgent': {
      const { last_assistant_message: answer, ...others } = input;
      return { prompt_response: answer, ...others };
    }
    case 'SessionStart':
      return { ...input, source: input['source'] === 'compact' ? 'compress' : input['source'] };
    case 'Notification':
      return {
        ...input,
        notification_type: input['notification_type'] === 'permission_prompt' ? 'ToolPermission' : input['notification_type'],
      };
    default:
      return input;
  }
}

/** Reads a result: that of the host, `{ success, output, error }`, or the fields `tool_output` and `tool_error`. */
function readResult(response: unknown, output: unknown, failed: unknown): unknown {
  if (response === undefined) return toToolResponse(output, typeof failed === 'string' ? failed : undefined);
  if (!isPlainObject(response) || typeof response['output'] !== 'string' || typeof response['success'] !== 'boolean')
    return toToolResponse(response);
  const { success, output: text, error, ...others } = response;
  return { ...others, llmContent: text, ...(success ? {} : { error: typeof error === 'string' && error !== '' ? error : unknownFailure }) };
}
