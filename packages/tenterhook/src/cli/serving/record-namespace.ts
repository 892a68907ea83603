import type { Channel } from '@tenterhook/protocol';
import type { RecordingStream, Secrets } from '@tenterhook/recording';
import type { OpenHooks } from '../../hooks.js';

/** What a worker records. */
export interface RecordChoice {
  /** Whether the steps of the hooks are recorded, too. */
  readonly progress: boolean;
  readonly mask: boolean;
  readonly secrets: Secrets;
  readonly projectDir: string;
  /** Receives the reason if the recording ends early. The worker goes on. */
  readonly onFailure: (message: string) => void;
}

const channels: readonly Channel[] = ['HOOK_EXECUTION_REQUEST', 'HOOK_EXECUTION_RESPONSE', 'HOOK_EXECUTION_CANCEL'];

/** Records the requests and the answers of a namespace to a stream. Returns the function that completes the recording. */
export async function recordNamespace(hooks: OpenHooks, stream: RecordingStream, choice: RecordChoice): Promise<() => Promise<void>> {
  // Imported here, because most workers do not record.
  const { recordBus } = await import('@tenterhook/recording');
  const { progress, projectDir, ...options } = choice;
  const recorded: readonly Channel[] = progress ? [...channels, 'HOOK_EXECUTION_PROGRESS'] : channels;
  const recorder = recordBus(hooks.bus, { stream, channels: recorded, roots: { project: projectDir }, ...options });
  return () => recorder.close();
}
