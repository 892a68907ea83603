import { resolve } from 'node:path';
import type { MessageBus } from '@tenterhook/bus';
import type { HookServiceDescription } from '@tenterhook/protocol';
import { describeThrown } from '@tenterhook/runtime/text';
import { type HooksRecordOptions, readRecordVariable, recordVariable } from './record-options.js';

/** What a recorder of `createHooks()` records, and where its paths begin. */
export interface Recorded {
  readonly bus: MessageBus;
  readonly projectDir: string;
  readonly currentDir: string;
  /** Returns what the note `about` contains. */
  readonly about: () => HookServiceDescription;
}

/** A recording of `createHooks()`. */
export interface OpenRecorder {
  /** Completes the recording. */
  close(): Promise<void>;
}

/** Records a bus by the option `record`. Rejects with a RecordingError if the file cannot be created. */
export async function openRecorder({ file, ...options }: HooksRecordOptions, recorded: Recorded): Promise<OpenRecorder> {
  const { bus, projectDir, currentDir, about } = recorded;
  // Imported here, because most agents do not record.
  const [{ recordBus }, { atExit }] = await Promise.all([import('@tenterhook/recording'), import('@tenterhook/spawner')]);
  const roots = { project: projectDir, ...options.roots };
  const recorder = recordBus(bus, { about: about(), ...options, roots, file: resolve(currentDir, file) });
  // A signal such as Ctrl-C ends the process without an 'exit' event, and with it the thread that writes.
  const forget = atExit(() => recorder.closeSync());
  return { close: () => recorder.close().finally(forget) };
}

/**
 * Records a bus if the environment variable is set. The variable is set by users, not by the program. So a recording that cannot be made is
 * one line on stderr, and the agent goes on without it.
 */
export async function openRequestedRecorder(
  env: Readonly<Record<string, string | undefined>>,
  recorded: Recorded,
): Promise<OpenRecorder | undefined> {
  if ((env[recordVariable] ?? '') === '') return undefined;
  try {
    const options = readRecordVariable(env);
    return options === undefined ? undefined : await openRecorder(options, recorded);
  } catch (error) {
    process.stderr.write(
      `tenterhook: ${recordVariable}: process ${process.pid} is not recorded: ${describeThrown(error).replaceAll('\n', ' ')}\n`,
    );
    return undefined;
  }
}
