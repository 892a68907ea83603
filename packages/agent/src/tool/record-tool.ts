import { ContainedTracing } from '@tenterhook/protocol/internal';
import { describeThrown } from '@tenterhook/runtime/text';
import type { HookClient } from '../client/hook-client.js';
import type { FinishedToolCall } from './tool-call.js';

/** Runs a tool call in the record that the tracing of the client begins for it, if it begins one. */
export async function recordTool(
  client: HookClient,
  call: { readonly name?: unknown; readonly toolUseId?: unknown },
  run: () => Promise<FinishedToolCall>,
): Promise<FinishedToolCall> {
  const tracing = client?.tracing;
  const { name, toolUseId } = call ?? {};
  // A call with wrong arguments is refused by `run`.
  if (tracing === undefined || typeof name !== 'string') return run();
  const trace = new ContainedTracing(tracing).tool({ name, callId: typeof toolUseId === 'string' ? toolUseId : undefined });
  if (trace === undefined) return run();
  try {
    const finished = await trace.run(run);
    trace.ended({
      verdict: finished.before?.verdict.kind,
      failure: finished.status === 'failed' ? (finished.reason ?? 'failed') : undefined,
    });
    return finished;
  } catch (error) {
    trace.ended({ verdict: undefined, failure: describeThrown(error) });
    throw error;
  }
}
