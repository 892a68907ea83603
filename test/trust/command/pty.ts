import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Places } from '../../support/places.js';
import { bin } from '../../support/run-cli.js';
import { environmentOf } from './terminal.js';

/**
 * Runs a command on a pseudo terminal, and answers each `> ` at the end of its output with the next line. After the last answer it types Ctrl-D.
 * Prints what the terminal shows, and ends with the status of the command.
 */
const ptyScript = `
import fcntl, os, pty, struct, sys, termios
command, answers = sys.argv[1:sys.argv.index('--')], sys.argv[sys.argv.index('--') + 1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 100, 0, 0))
shown = b''
while True:
    try:
        data = os.read(terminal, 65536)
    except OSError:
        data = b''
    if not data:
        break
    shown += data
    if shown.endswith(b'\\n> '):
        os.write(terminal, (answers.pop(0) + '\\n').encode() if answers else b'\\x04')
        shown += b' '
sys.stdout.buffer.write(shown)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 255)
`;

/** Runs the built `tenterhook trust` on a pseudo terminal. Resolves to what it shows and its exit status. */
export async function runOnPty(
  args: readonly string[],
  answers: readonly string[],
  places: Places,
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn('python3', ['-c', ptyScript, process.execPath, bin, 'trust', ...args, '--', ...answers], {
    cwd: places.project,
    env: { ...environmentOf(places), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [shown, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { status: status as number, shown: shown.replaceAll('\r\n', '\n') };
}
