/** What must and must not compile: watching a bus. `npm run typecheck` checks this file; it never runs. */

import {
  type AggregatedHookResult,
  createHookOutput,
  type HookEventName,
  type HookExecutionRequest,
  type Hooks,
  type MessageBus,
} from 'tenterhook';
import type { HookClient } from 'tenterhook/agent';

declare function is<Expected>(value: Expected): void;

export async function loops(bus: MessageBus, signal: AbortSignal) {
  for await (const { type, payload } of bus.subscribe('HOOK_EXECUTION_CANCEL', { signal, maxBuffered: 16 })) {
    is<'HOOK_EXECUTION_CANCEL'>(type);
    is<string>(payload.correlationId);
    // @ts-expect-error Messages of this channel have no such field.
    is<unknown>(payload.eventName);
  }
  const messages = bus.subscribe('HOOK_EXECUTION_PROGRESS');
  is<number>(messages.dropped);
  // @ts-expect-error The bus counts.
  messages.dropped = 0;
  // @ts-expect-error There is no such channel.
  bus.subscribe('HOOK_EXECUTION');
  // @ts-expect-error An option is misspelt.
  bus.subscribe('HOOK_EXECUTION_PROGRESS', { singal: signal });
}

export function callbacks(bus: MessageBus, hooks: Hooks) {
  is<() => void>(bus.subscribe('HOOK_EXECUTION_RESPONSE', ({ payload }) => is<boolean>(payload.success)));
  is<() => void>(hooks.onProgress((progress) => is<string>(progress.kind === 'hook-started' ? progress.hookId : progress.eventName)));
  is<() => void>(hooks.onResult(({ output, error }) => is<string | undefined>(output?.verdict.kind ?? error?.code)));
  // @ts-expect-error A listener is a function.
  hooks.onProgress({});
}

export async function requests(bus: MessageBus, received: HookExecutionRequest, name: string, input: Record<string, unknown>) {
  const { output, error } = await bus.request('HOOK_EXECUTION_REQUEST', {
    eventName: 'BeforeTool',
    input: { tool_name: 'write_file', tool_input: { path: 'a.txt' } },
  });
  is<string | undefined>(output?.finalOutput?.reason);
  // @ts-expect-error A message is plain data, so its output has no methods.
  output?.finalOutput?.getModifiedToolInput();
  is<Record<string, unknown> | undefined>(output?.finalOutput && createHookOutput('BeforeTool', output.finalOutput).getModifiedToolInput());
  is<string | undefined>(error?.code);
  // For a name that is known at run time only, or a received request that is passed on: the service checks the input.
  const { output: any } = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: name, input });
  is<AggregatedHookResult['verdict'] | undefined>(any?.verdict);
  await bus.request('HOOK_EXECUTION_REQUEST', received);
  bus.requestStream('HOOK_EXECUTION_REQUEST', { eventName: 'SessionStart', input: { source: 'startup' } });
  await bus.request('HOOK_HANDLER_CALL', { engineId: 'e', hookId: 'h', event: {}, timeoutMs: 5 });

  // @ts-expect-error There is no such event.
  await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTol', input: {} });
  // @ts-expect-error A required field is missing.
  await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name: 'write_file' } });
  // @ts-expect-error A field has the wrong type.
  await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'SubagentStop', input: { agent_type: 1 } });
  // @ts-expect-error A value is not one of those that the event has.
  bus.requestStream('HOOK_EXECUTION_REQUEST', { eventName: 'SessionStart', input: { source: 'start' } });
  // @ts-expect-error The fields belong to another channel.
  await bus.request('HOOK_HANDLER_CALL', { eventName: 'BeforeTool', input: {} });
}

export async function clients(client: HookClient, input: Record<string, unknown>, name: HookEventName) {
  const result = await client.fire('SubagentStop', { agent_type: 'explore', last_assistant_message: 'Done.' });
  is<AggregatedHookResult>(result);
  is<AggregatedHookResult>(await client.fire(name, input));
  // @ts-expect-error A field has the wrong type.
  await client.fire('SubagentStop', { agent_type: 1 });
  // @ts-expect-error There is no such event.
  await client.fire('BeforeTol', input);
}
