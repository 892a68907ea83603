/** Commands that run the command in their arguments, e.g. `sudo ls`. */
export const wrappers = new Set(
  (
    'sudo doas env command builtin exec noglob nocorrect nohup time nice ionice stdbuf setsid timeout xargs find watch parallel chroot ' +
    'unshare flock function coproc strace ltrace taskset chrt runuser pkexec busybox toybox nsenter setarch ssh-agent dbus-run-session ' +
    'caffeinate'
  ).split(' '),
);
/** Commands that take a whole command line as one argument, e.g. `eval 'ls; pwd'`. */
export const evaluators = new Set('eval trap su script watch fish ssh'.split(' '));
/** Words of the shell's language that can precede a command. */
export const keywords = new Set('! { } if then elif else fi do done while until for select case in'.split(' '));
export const shells = new Set('sh bash zsh dash ksh ash csh tcsh mksh yash rbash fish'.split(' '));
