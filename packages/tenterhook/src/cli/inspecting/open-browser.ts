import { describeThrown } from '@tenterhook/runtime/text';
import { findOnPath, startDetached } from '@tenterhook/spawner/internal';
import { type CommandContext, directoryOf, printError } from '../context.js';

/** The program of each system that opens a file in the browser of the user, and its arguments before the file. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
  linux: ['xdg-open'],
};

/** Returns a function that opens a file in the browser, or undefined if there is no program or no display for it. */
export function findBrowser(context: CommandContext): ((file: string) => void) | undefined {
  const { env } = context;
  const [program, ...args] = openers[process.platform] ?? [];
  const hasDisplay = process.platform !== 'linux' || [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((value) => (value ?? '') !== '');
  const found = program === undefined || !hasDisplay ? undefined : findOnPath(program, env);
  if (found === undefined) return undefined;
  return (file) => void start(found, [...args, file], context);
}

/** Starts the browser outside of our process group, so that Ctrl-C does not end it. */
async function start(program: string, args: readonly string[], context: CommandContext): Promise<void> {
  const env = Object.fromEntries(Object.entries(context.env).filter((entry): entry is [string, string] => entry[1] !== undefined));
  const started = await startDetached({ file: program, args, cwd: directoryOf(context) ?? '/', env });
  if ('error' in started) printError(context, `warning: the browser cannot be started: ${describeThrown(started.error)}`);
}
