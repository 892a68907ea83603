import type { HookExecutionProgress } from '@tenterhook/protocol';

/** What happened to which hook, in order: `a started`, `a failed` … */
export function hookStory(progress: readonly HookExecutionProgress[]): string[] {
  return progress.flatMap((message) => {
    if (message.kind === 'hook-started') return [`${message.name} started`];
    return message.kind === 'hook-finished' ? [`${message.outcome.name} ${message.outcome.status}`] : [];
  });
}

/** The states of the hooks' circuits, in order. */
export function circuitStory(progress: readonly HookExecutionProgress[]): string[] {
  return progress.flatMap((message) => (message.kind === 'circuit-changed' ? [message.state] : []));
}
