import type { JobRoute, ProcessJob } from '../job.js';
import type { Shell } from '../run/spawn-process.js';
import { findRevealing, findRevealingScript } from './revealing-text.js';

/** An environment of this size may exceed what the system passes to a program. Then the start must fail, not the program that it starts. */
const mostBytes = 100_000;

/**
 * Variables that have a meaning for bash itself. Bash reads some of them only at its start, cannot assign others, and behaves differently
 * if the rest is assigned later. The loader of programs reads two of them when bash starts.
 */
const variablesOfBash =
  /^(BASH(_.*|OPTS|PID)?|SHELLOPTS|POSIXLY_CORRECT|ENV|IFS|UID|EUID|PPID|GROUPS|RANDOM|SRANDOM|SECONDS|EPOCH\w+|LINENO|FUNCNAME|DIRSTACK|HIST\w+|COMP_\w+|COPROC|MAPFILE|REPLY|PIPESTATUS|OPT(IND|ARG|ERR)|GLOBIGNORE|TMOUT|PS4|IGNOREEOF|ignoreeof|POSIX_PEDANTIC|LD_PRELOAD|LD_AUDIT|__th_\w*)$/;

/**
 * Decides which way a job takes, from the job and the scripts that it names. A lane must give the same result as `bash -c`; else the job is
 * started directly.
 */
export function routeOf(
  job: Pick<ProcessJob, 'command' | 'cwd' | 'env' | 'watchesInput'>,
  shell: Pick<Shell, 'file'> | undefined,
): JobRoute {
  const { command, env } = job;
  if (shell === undefined || !shell.file.endsWith('/bash')) return direct('the shell is not bash');
  if (command.kind === 'program') return direct('it is a program without a shell');
  if (job.watchesInput) return direct('the run reports whether the input was read');
  const found = findRevealing(command.text);
  if (found !== undefined) return direct(`its text contains ${found}`);
  const { refusal, bytes } = readEnvironment(env);
  if (refusal !== undefined) return direct(refusal);
  if (bytes + Buffer.byteLength(command.text) > mostBytes) return direct(`its environment has more than ${mostBytes} bytes`);
  const script = findRevealingScript(command.text, job);
  return script === undefined ? { kind: 'lane' } : direct(`its script ${script.name} contains ${script.found}`);
}

/** What the route of a job depends on in its environment. */
interface ReadEnvironment {
  /** Why no lane can start a job with it. */
  readonly refusal: string | undefined;
  readonly bytes: number;
}

/** For environments that cannot change. The engine passes the same frozen object again and again. */
const readEnvironments = new WeakMap<ProcessJob['env'], ReadEnvironment>();

function readEnvironment(env: ProcessJob['env']): ReadEnvironment {
  const known = readEnvironments.get(env);
  if (known !== undefined) return known;
  const refusal = refusalOf(env);
  const read = { refusal, bytes: refusal === undefined ? bytesOf(env) : 0 };
  if (Object.isFrozen(env)) readEnvironments.set(env, read);
  return read;
}

function refusalOf(env: ProcessJob['env']): string | undefined {
  if (env['SHLVL'] && !/^\d{1,2}$/.test(env['SHLVL'])) return 'bash itself uses the variable SHLVL';
  // Bash may be built to read ~/.bashrc in the first shell of an SSH session.
  if ((env['SSH_CLIENT'] ?? env['SSH2_CLIENT']) !== undefined && Number(env['SHLVL'] ?? 0) === 0)
    return 'bash itself uses the variable SSH_CLIENT';
  for (const name of Object.keys(env)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return `bash cannot export the variable ${JSON.stringify(name)}`;
    if (variablesOfBash.test(name)) return `bash itself uses the variable ${name}`;
  }
  return undefined;
}

function bytesOf(env: ProcessJob['env']): number {
  return Object.entries(env).reduce((bytes, [name, value]) => bytes + name.length + Buffer.byteLength(value), 0);
}

export function direct(reason: string): Extract<JobRoute, { reason: string }> {
  return { kind: 'direct', reason };
}
