// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are shell commands.
import { quote } from './shell-words.js';

/**
 * Returns the program of a lane, for bash 5 or later. It runs one job after the other. Each job runs in a subshell with its own process
 * group (`set -m`), so that the job can be killed without its lane.
 *
 * Descriptor 3 is a socket between our process and the lane. No other process can open it, as it could open a pipe by its name in /proc, so
 * no job can forge a line. The lane first reads `<stdout> <stderr>`, the descriptors of its two FIFOs in our process, and then a line
 * `<stdin> <setup> <1 for a call of one program>` for each job. All four descriptors are opened below `descriptors`, e.g. /proc/4711/fd, so no
 * file of a job needs a name. The lane opens the streams before it forks. The job itself opens the setup (`createSetup`). If the setup fails,
 * for example because the directory was removed, the job is killed: with an empty command, it would succeed.
 *
 * The lane prints one line per job, because each line wakes our process: `ended <pid> <status> <0 if its group has a process>`, or
 * `unopened` if a stream could not be opened. Before `ended`, bash itself prints how the job ended, for example `[1]+  Exit 137` or `Killed`.
 * Without this line, the status 137 could mean both. `kill` prints why it failed.
 *
 * - Before `set -m`, the probe is in the group of the lane, so that a `mkfifo` that hangs is killed with its lane.
 * - If a job ends at the moment when `wait` begins, bash 5.2 may report 127 and that it has no record of the process. The second `wait`
 *   then returns the real status. `wait -f` would repeat this message without end.
 * - For a job that is paused, `wait` returns at once with 147 to 150. Then `wait -f` waits for its end. It may report the
 *   pause once more; the second call returns the real status.
 * - The subshell is not part of a condition such as `if`, because bash ignores `set -e` of the hook there.
 * - `set +m` in the subshell keeps the background commands of the job in its group, as `bash -c` does. `set -m` before it makes the subshell
 *   look up its own group. Without it, `kill %1` of a job would signal the job itself.
 * - A call of one program is the last command of its subshell, so bash executes it without another process, as `bash -c` does. `exec` was
 *   rejected: scripts would see an absolute path in `$0`.
 * - The program is one line, so that messages about a hook begin with `bash: line 1:` as they do with `bash -c`.
 */
export function laneScript(descriptors: string, probe: number): string {
  const prepare = 'set +m; set -m; set +m; . "$__th_p/$__th_s" || kill -9 $BASHPID';
  const start = (command: string): string => `( ${prepare}; ${command} ) ${streams} &`;
  const streams = `<&5 >&6 2>&7 3>&- 5<&- 6>&- 7>&-`;
  const isListed = 'case " "$(jobs -pr; jobs -ps)" " in *[[:space:]]"$__th_g"[[:space:]]*) ;; *) false;; esac';
  const opened = `5<"$__th_p/$__th_i" 6>"$__th_p/$__th_o" 7>"$__th_p/$__th_e"`;
  return [
    '(( BASH_VERSINFO[0] >= 5 )) || exit 3',
    'exec >&3 2>&3',
    `__th_p=${descriptors}`,
    `. "$__th_p/${probe}" || exit`,
    'set -m',
    'read -r -u 3 __th_o __th_e',
    'while read -r -u 3 __th_i __th_s __th_k; do __th_g=',
    `{ case $__th_k in 1) ${start('"${__th_v[@]}"')} ;; *) ${start('eval "$__th_c"')} ;; esac; __th_g=$!; } ${opened}`,
    'if [ -z "$__th_g" ]; then echo unopened; continue; fi',
    'wait "$__th_g"; __th_r=$?',
    'if [ "$__th_r" = 127 ]; then wait "$__th_g"; __th_r=$?; fi',
    `while case $__th_r in 147|148|149|150) ${isListed};; *) false;; esac; do wait -f "$__th_g"; wait -f "$__th_g"; __th_r=$?; done`,
    'kill -0 -- "-$__th_g"; echo "ended $__th_g $__th_r $?"',
    'done',
  ].join('; ');
}

/** Returns the text that a lane runs before its first job. It creates the FIFOs, and shows that the lane can open our descriptors. */
export function probeText(mkfifo: string, fifos: readonly string[]): string {
  return `${quote(mkfifo)} -m 600 -- ${fifos.map(quote).join(' ')} && echo ready\n`;
}
