import { joinOutputs } from '../io/output.js';
import type { ResidentNote } from '../job.js';
import { readAnswer } from './answer.js';
import type { ResidentExit } from './resident-job.js';
import type { Reply, Unread } from './resident-process.js';

/** What is known about one question beside its reply. */
export interface Asked {
  readonly pid: number;
  readonly durationMs: number;
  /** What the process printed apart from the answer. */
  readonly unread: Unread;
  readonly notes: readonly ResidentNote[];
}

/** The maximum number of characters of a printed line in a note. */
const maxShown = 200;

/** Converts a reply to the result that a process of its own would have had. */
export function exitOf(reply: Reply, { pid, durationMs, unread, notes }: Asked): ResidentExit {
  const common = { durationMs, pid, leftProcesses: 0, route: { kind: 'resident' } as const };
  const printed = { ...common, ...joinOutputs(unread.stdout, unread.stderr), notes };
  const noted = { ...printed, notes: [...notes, ...ignoredOutput(unread)] };
  switch (reply.kind) {
    case 'answered': {
      const answer = readAnswer(reply.record);
      if ('problem' in answer) return { kind: 'unanswered', problem: answer.problem, ...noted };
      const { exitCode, stdout, stderr } = answer;
      const bytes = { stdoutBytes: Buffer.byteLength(stdout), stderrBytes: Buffer.byteLength(stderr), invalidUtf8: reply.line.invalidUtf8 };
      return { kind: 'exited', exitCode, ...noted, stdout, stderr, ...bytes, stdoutTruncated: false, stderrTruncated: false };
    }
    // A script that ends with a code other than 0 may mean the answer by it. 2 denies.
    case 'exited':
      if (reply.exitCode !== 0) return { kind: 'exited', exitCode: reply.exitCode, ...printed };
      return { kind: 'unanswered', problem: 'exited with code 0 before it answered', ...noted };
    case 'signalled':
      return { kind: 'signalled', signal: reply.signal, ...noted };
    case 'timed-out':
      return { kind: 'timed-out', ...(reply.signal && { signal: reply.signal }), ...noted };
    case 'too-long':
      return { kind: 'exited', exitCode: 0, ...noted, stdout: '', stdoutBytes: reply.bytes, stdoutTruncated: true };
    case 'closed':
      return { kind: 'unanswered', problem: `closed ${reply.what} before it answered`, ...noted };
    default:
      return { kind: 'cancelled', ...noted };
  }
}

function ignoredOutput({ stdout, lines }: Unread): readonly ResidentNote[] {
  if (lines === 0) return [];
  const first = stdout.text.slice(0, maxShown).split('\n')[0];
  const what = lines === 1 ? 'a line that is not the answer' : `${lines} lines that are not the answer, the first one`;
  return [{ kind: 'ignored-output', message: `printed ${what}: ${JSON.stringify(first)}` }];
}
