import type { HookExecutionProgress } from '@tenterhook/protocol';

/** `a started`, `a failed` …: what happened to which hook, in order. */
export function hookStory(progress: readonly HookExecutionProgress[]): string[] {
  return progress.flatMap((message) => {
    if (message.kind === 'hook-started') return [`${message.name} started`];
    return message.kind === 'hook-finished' ? [`${message.outcome.name} ${message.outcome.status}`] : [];
  });
}

/** The states that the circuits of hooks came to, in order. */
export function circuitStory(progress: readonly HookExecutionProgress[]): string[] {
  return progress.flatMap((message) => (message.kind === 'circuit-changed' ? [message.state] : []));
}
