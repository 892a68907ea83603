import type { Exit } from '@tenterhook/protocol';

/** Why a hook that was to wait for its turn had none, in the words of an outcome. */
const messages = {
  cancelled: 'the event was cancelled while it waited for its turn.',
  disposed: 'the hook system was shut down.',
  overloaded: 'more hooks are waiting than limits.queued allows. Raise it, or fire fewer events at once.',
} as const;

export function notStarted(reason: keyof typeof messages): Exit {
  return { kind: 'not-started', message: messages[reason], durationMs: 0 };
}
