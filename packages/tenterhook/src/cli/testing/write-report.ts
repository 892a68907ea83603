import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeThrown } from '@tenterhook/runtime/text';
import { type CommandContext, resolvePath } from '../context.js';
import { CommandError } from '../errors/exit-status.js';

/** A file that an option names, such as `--junit`. */
export interface ReportFile {
  readonly option: string;
  readonly path: string;
  /** A name for the file, which the message suggests if `path` is a directory. */
  readonly example: string;
}

/** Writes a report to the file that an option names. An existing file is replaced, because a report is made again and again. */
export function writeReport({ option, path, example }: ReportFile, text: string, context: CommandContext): void {
  const file = resolvePath(context, path);
  try {
    writeFileSync(file, text);
  } catch (error) {
    const isDirectory = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
    const remedy = isDirectory
      ? `Pass a file, for example ${join(file, example)}.`
      : `Pass a file in a directory that exists and can be written; the directory here is ${dirname(file)}.`;
    throw new CommandError({
      code: 'invalid_request',
      message: `${option} ${file} cannot be written: ${describeThrown(error)}. ${remedy}`,
    });
  }
}
