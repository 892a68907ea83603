/**
 * Returns the program of a lane, for bash 5 or later. It reads one job per line from its standard input, and runs one job at a time. Each
 * job runs in a subshell with its own process group (`set -m`), so that the job can be killed without its lane.
 *
 * A line is `<number> <stdin> <stdout> <stderr> <setup> <job ids>`. The four names are descriptors of our process, which the lane opens
 * below `descriptors`, e.g. /proc/4711/fd. So no file of a job needs a name that another job could open. The lane opens the streams before
 * it forks, so we can close our ends when it reports the start. The job itself opens the setup (`setupText`).
 *
 * The lane prints `<number> started <pid>`, and later `<number> ended <status>`. It prints `<number> unopened 0` if a stream could not be
 * opened. Before `ended`, bash itself prints how the job ended, for example `[1]+  Exit 137` or `Killed`. Without this line, the status
 * 137 could mean both.
 *
 * - `wait -f` waits for the end of the job. Without `-f`, a job that is paused would look as if it had ended.
 * - The subshell is not part of a condition such as `if`, because bash ignores `set -e` of the hook there.
 * - `set +m` in the subshell keeps the background commands of the job in its group, as `bash -c` does.
 * - The program is one line, so that messages about a hook begin with `bash: line 1:` as they do with `bash -c`.
 */
export function laneScript(descriptors: string, probe: number): string {
  const job = `set +m; . "$__th_p/$__th_s" || exit; export TENTERHOOK_JOB="$__th_j"; eval "$__th_c"`;
  const streams = `<&5 >&6 2>&7 5<&- 6>&- 7>&-`;
  const opened = `5<"$__th_p/$__th_i" 6>"$__th_p/$__th_o" 7>"$__th_p/$__th_e"`;
  return [
    '(( BASH_VERSINFO[0] >= 5 )) || exit 3',
    'exec 2>&1',
    'set -m',
    `__th_p=${descriptors}`,
    `. "$__th_p/${probe}"`,
    `while IFS=' ' read -r __th_n __th_i __th_o __th_e __th_s __th_j; do __th_g=`,
    `{ ( ${job} ) ${streams} & __th_g=$!; } ${opened}`,
    'if [ -z "$__th_g" ]; then echo "$__th_n unopened 0"; continue; fi',
    'echo "$__th_n started $__th_g"',
    'wait -f "$__th_g"',
    'echo "$__th_n ended $?"',
    'done',
  ].join('; ');
}
