import type { ProcessJob, StartRoute } from '../job.js';
import type { Shell } from '../run/spawn-process.js';

/** An environment of this size may exceed what the system passes to a program. Then the start must fail, not the program that it starts. */
const mostBytes = 100_000;

/**
 * Variables that have a meaning for bash itself. Bash reads some of them only at its start, cannot assign others, and behaves differently
 * if the rest is assigned later.
 */
const variablesOfBash =
  /^(BASH(_.*|OPTS|PID)?|SHELLOPTS|POSIXLY_CORRECT|ENV|IFS|UID|EUID|PPID|GROUPS|RANDOM|SRANDOM|SECONDS|EPOCH\w+|LINENO|FUNCNAME|DIRSTACK|HIST\w+|COMP_\w+|COPROC|MAPFILE|REPLY|PIPESTATUS|OPT(IND|ARG|ERR)|GLOBIGNORE|TMOUT|PS4|IGNOREEOF|__th_\w*)$/;

/**
 * Expressions that differ in a lane from `bash -c`: the number of the shell, that of the last background process, variables that count from
 * the start of the shell, and errors of expansions, after which `bash -c` exits with 127 and a subshell with 1.
 */
const revealing = /\$\$|\$\{\$|\$\{?!|SECONDS|BASH_SUBSHELL|BASH_EXECUTION_STRING|BASH_COMMAND|__th_|nounset|\bset -[a-zA-Z]*u|\$\{\w+:?\?/;

/** Decides which way a job takes, from the job alone. A lane must give the same result as `bash -c`; else the job is started directly. */
export function routeOf(job: Pick<ProcessJob, 'command' | 'env' | 'watchesInput'>, shell: Pick<Shell, 'file'> | undefined): StartRoute {
  const { command, env } = job;
  if (shell === undefined || !shell.file.endsWith('/bash')) return direct('the shell is not bash');
  if (command.kind === 'program') return direct('it is a program without a shell');
  if (job.watchesInput) return direct('the run reports whether the input was read');
  const found = revealing.exec(command.text)?.[0];
  if (found !== undefined) return direct(`its text contains ${found}`);
  let bytes = command.text.length;
  for (const [name, value] of Object.entries(env)) {
    if (!/^[A-Za-z_]\w*$/.test(name)) return direct(`bash cannot export the variable ${JSON.stringify(name)}`);
    if (variablesOfBash.test(name)) return direct(`bash itself uses the variable ${name}`);
    bytes += name.length + value.length;
  }
  return bytes > mostBytes ? direct(`its environment has more than ${mostBytes} characters`) : { kind: 'lane' };
}

export function direct(reason: string): Exclude<StartRoute, { kind: 'lane' }> {
  return { kind: 'direct', reason };
}
