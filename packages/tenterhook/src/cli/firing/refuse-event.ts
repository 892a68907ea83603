import { isHookEventName } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { OpenHooks } from '../../hooks.js';
import { type CommandContext, printError, printJson } from '../context.js';
import { statusOf } from '../errors/exit-status.js';
import { formatDialectHint } from '../hooks/load-hooks.js';

/** Tests whether the service would accept the event, apart from its fields. */
export function canBeFired(eventName: string, input: unknown): boolean {
  return isHookEventName(eventName) && isPlainObject(input);
}

/**
 * Returns advice for a user who passed the name of a hook instead of an event. The advice begins with a blank. Returns `''` if no hook has
 * this name.
 */
function formatHookHint(eventName: string, hooks: OpenHooks): string {
  const found = Object.values(hooks.hooks)
    .flat()
    .find(({ name }) => name === eventName);
  return found === undefined ? '' : ` "${eventName}" is the name of a hook; its event is ${found.eventName}.`;
}

/**
 * Reports an event that cannot be fired, with the message of the hook service. Adds how to write the name on the command line. Resolves to
 * the exit status.
 */
export async function refuseEvent(
  hooks: OpenHooks,
  eventName: string,
  { json = false, input = {} }: { readonly json?: boolean; readonly input?: unknown },
  context: CommandContext,
): Promise<number> {
  const response = await hooks.bus.request('HOOK_EXECUTION_REQUEST', { eventName, input: input as Record<string, unknown> });
  if (json) printJson(context, response);
  printError(
    context,
    `${response.error?.code}: ${response.error?.message}${formatDialectHint(eventName)}${formatHookHint(eventName, hooks)}`,
  );
  return statusOf(response, false);
}
