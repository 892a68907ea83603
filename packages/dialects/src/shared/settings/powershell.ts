import type { DialectContext, Invocation } from '@tenterhook/protocol';
import { isAbsolute } from '../paths.js';

type Command = Extract<Invocation, { kind: 'command' }>['command'];

/**
 * Returns the command that runs a text with PowerShell. Windows looks for a program without a path in the working directory first, where a
 * project could have its own, so `pwsh` gets its absolute path there. Without `pwsh`, the text runs in the shell of Windows, which is
 * PowerShell too.
 */
export function powershellCommand(text: string, context: Pick<DialectContext, 'platform' | 'environment' | 'files'>): Command {
  const file = context.platform === 'win32' ? findOnWindows(context) : 'pwsh';
  if (file === undefined) return { kind: 'shell', text };
  return { kind: 'program', file, args: ['-NoProfile', '-NonInteractive', '-Command', text] };
}

function findOnWindows({ environment, files }: Pick<DialectContext, 'environment' | 'files'>): string | undefined {
  // Windows ignores the case of the names of variables.
  const [, path = ''] = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH') ?? [];
  const folders = path.split(';').filter(isAbsolute);
  return folders.map((folder) => `${folder.replace(/[\\/]+$/, '')}\\pwsh.exe`).find((file) => files.isFile(file));
}
