/** What must and must not compile: watching a bus. `npm run typecheck` checks it; nothing here runs. */

import type { Hooks, MessageBus } from 'tenterhook';

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
