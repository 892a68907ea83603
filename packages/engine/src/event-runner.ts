import type { Answer } from '@tenterhook/bus';
import type { HookEventName } from '@tenterhook/protocol';
import type { ProgressMessage } from './progress.js';

/** What one request is answered with. */
export type RequestAnswer = Answer<'HOOK_EXECUTION_REQUEST'>;

/** What a HookService needs of a system: the seam that keeps bus and system from knowing each other. */
export interface EventRunner {
  /** Carries out one event. Never rejects for what a hook or a request does. */
  answer(
    eventName: HookEventName,
    input: Readonly<Record<string, unknown>>,
    control: { readonly signal: AbortSignal; readonly progress: (message: ProgressMessage) => void },
  ): Promise<RequestAnswer>;
  /** Called once, when the system begins to shut down. */
  onDispose(callback: () => void): void;
}
