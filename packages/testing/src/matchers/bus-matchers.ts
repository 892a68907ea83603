import type { HookReference } from './hook-reference.js';
import type { MatchRecordingOptions } from './match-recording.js';

/** The matchers as methods of `expect(…)`. `Result` is what each of them returns. */
export interface BusMatchers<Result = void> {
  /** Passes if the hook denied: by id, by name if one hook has it, or by a RegExp. */
  toHaveBeenBlockedBy(hook: HookReference): Result;
  /** Passes if the hook ran, however it ended. */
  toHaveRun(hook: HookReference): Result;
  /** Passes if the hook was skipped, with `reason` for this reason. */
  toHaveSkipped(hook: HookReference, reason?: string): Result;
  /** Passes if a hook rewrote the value at `path`, with `value` if this is the value after the last rewrite. */
  toHaveRewritten(path: string, value?: unknown): Result;
  /** Passes if a recorder or a recording equals the file. Await it. */
  toMatchBusRecording(file?: string, options?: MatchRecordingOptions): Promise<void>;
}
