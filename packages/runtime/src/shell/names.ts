/** Wrappers: commands that run another command, which is in their arguments. */
export const wrappers = new Set(
  (
    'sudo doas env command builtin exec noglob nocorrect nohup time nice ionice stdbuf setsid timeout xargs find watch parallel chroot ' +
    'unshare flock function coproc strace ltrace taskset chrt runuser pkexec busybox toybox nsenter setarch ssh-agent dbus-run-session ' +
    'caffeinate'
  ).split(' '),
);
/** Evaluators: commands that take a whole command line as one argument. */
export const evaluators = new Set('eval trap su script watch fish ssh'.split(' '));
/** Words of the shell's language that can precede a command. */
export const keywords = new Set('! { } if then elif else fi do done while until for select case in'.split(' '));
/** Shells, by their names in lower case. */
export const shells = new Set('sh bash zsh dash ksh ash csh tcsh mksh yash rbash fish'.split(' '));
