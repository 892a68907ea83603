import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { defaultDialects } from '@tenterhook/dialects';
import type { StarterSettings } from '@tenterhook/protocol';
import { inShell } from '@tenterhook/runtime/text';
import { describeEvent } from '../../output/reports/event-report.js';
import { paragraph, shortenPath } from '../../output/reports/report-style.js';
import { escapeForTerminal } from '../../output/terminal/escape.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { findDirectoryProblem } from '../../settings/discover/locations.js';
import { type CommandContext, maxMessage, printError, printJson, resolvePath, styleOf } from '../context.js';
import { ExitStatus, UsageError } from '../errors/exit-status.js';
import { findDialect } from '../hooks/dialect-name.js';

export interface InitFlags {
  /** The agent whose settings are written. @default 'llxprt' */
  readonly dialect?: string;
  readonly cwd?: string;
  readonly json?: boolean;
}

/**
 * Returns the script of a project's first guard. It reads all of stdin before it decides. It fails if the input is not JSON. `onError` in the
 * settings turns this failure into a deny.
 */
const guardFor = ({ silent, commandPath }: StarterSettings) => `#!/usr/bin/env node
// A guard for the shell: it denies commands that delete folders. Change it to what your project needs.
// A hook reads one JSON object on stdin. Exit code 2 denies, and stderr is the reason. ${silent ? 'An empty output' : 'The output {}'} means that the hook makes no decision.
import { text } from 'node:stream/consumers';

const event = JSON.parse(await text(process.stdin));
const command = String(${commandPath === undefined ? 'event.tool_input?.command ?? event.command' : `event.${commandPath.replaceAll('.', '?.')}`} ?? '');

// This catches mistakes, not attacks: a command can be written in many other ways.
const deletesFolder = command.split(/[;&|()\\n]+/).some((part) => {
  const words = part.trim().split(/\\s+/);
  const isRm = words.some((word) => /(^|\\/)rm$/.test(word));
  return isRm && words.some((word) => /^(-[a-z]*r[a-z]*|--recursive)$/i.test(word));
});
if (deletesFolder) {
  console.error('Folders are not deleted here. Move them to a folder for deleted files.');
  process.exitCode = 2;
}${
  silent
    ? ''
    : ` else {
  console.log('{}');
}`
}
`;

/** Writes the first settings and the first guard of a project. Changes no existing file. Resolves to the exit status. */
export async function init(flags: InitFlags, context: CommandContext): Promise<number> {
  const dialect = findDialect(flags.dialect ?? 'llxprt', defaultDialects());
  const { starter, events = {} } = dialect;
  if (starter === undefined) throw new UsageError(`There are no first settings for "${dialect.name}".`);
  const projectDir = resolvePath(context, flags.cwd ?? '.');
  const problem = findDirectoryProblem(projectDir);
  if (problem !== undefined) throw new UsageError(`${projectDir} ${problem}. Pass the project directory with --cwd.`);

  // The script is written before the settings, because settings that name a missing script would make every command fail. If the settings
  // file exists already, the script is still written, and users add the hook to their settings by hand.
  const files = filesOf(starter);
  const existing = files.map(([file]) => file).filter((file) => existsSync(join(projectDir, file)));
  const toWrite = existing.includes(starter.script) ? [] : files.filter(([file]) => !existing.includes(file));
  for (const [file, content, mode] of toWrite) {
    const path = join(projectDir, file);
    try {
      mkdirSync(dirname(path), { recursive: true });
      // `wx` fails if the file was created in the meantime, and does not follow links.
      writeFileSync(path, content, { flag: 'wx', mode });
    } catch (error) {
      printError(context, `error: ${path} cannot be written: ${(error as Error).message}.`);
      return ExitStatus.expectedFailure;
    }
  }

  const written = toWrite.map(([file]) => file);
  if (existing.length > 0) return refuse(existing, written, starter, { ...flags, dialect: dialect.name, projectDir }, context);

  const [dialectEvent = 'BeforeTool'] = Object.entries(events).find(([, eventName]) => eventName === 'BeforeTool') ?? [];
  const call = { tool_name: 'run_shell_command', tool_input: { command: 'rm -rf build' } };
  const { sample } = describeEvent('BeforeTool', dialectEvent, dialect, call);
  const { tool_name, tool_input } = sample;
  // Some agents have other names for these fields.
  const input = tool_name === undefined ? sample : { tool_name, tool_input };
  const where = flags.cwd === undefined ? '' : ` --cwd ${inShell(flags.cwd)}`;
  // The printed `fire` command names the settings file, because hooks of a named file run even if the user has not trusted them yet.
  const named = ` --settings ${inShell(join(flags.cwd ?? '', starter.file))}`;
  const next = `tenterhook fire ${dialectEvent} --dialect ${dialect.name}${where}${named} --input ${inShell(JSON.stringify(input))}`;
  if (flags.json) {
    printJson(context, { dialect: dialect.name, files: written.map((file) => join(projectDir, file)), next });
    return ExitStatus.ok;
  }
  const style = styleOf(context);
  const shown = (file: string) => shortenPath(join(projectDir, file), style);
  context.stdout.write(
    joinParagraphs([
      [style.paint('bold', 'Written')],
      [
        ...paragraph(`${shown(starter.script)}: a guard that denies commands which delete folders`, { indent: 2, hanging: 4 }, style),
        ...paragraph(`${shown(starter.file)}: runs it before each command of the shell`, { indent: 2, hanging: 4 }, style),
      ],
      // Not wrapped, because users copy this line.
      [style.paint('bold', 'Try it'), `  ${escapeForTerminal(next, maxMessage)}`],
      [
        style.paint('bold', 'Trust it'),
        `  tenterhook trust${escapeForTerminal(where, maxMessage)}`,
        ...paragraph(
          'Agents run hooks of a project only after you have accepted them, because a repository may contain hooks of other people.',
          { indent: 2 },
          style,
        ),
      ],
    ]),
  );
  return ExitStatus.ok;
}

function filesOf(starter: StarterSettings): (readonly [file: string, content: string, mode: number])[] {
  const { file, script, settings } = starter;
  return [
    [script, guardFor(starter), 0o755],
    [file, `${JSON.stringify(settings, null, 2)}\n`, 0o644],
  ];
}

/** Reports which files exist already, and that they were not changed. Prints the settings, so that users can add the hook by hand. */
function refuse(
  existing: readonly string[],
  written: readonly string[],
  { settings }: StarterSettings,
  { dialect, projectDir, json }: InitFlags & { readonly projectDir: string },
  context: CommandContext,
): number {
  const what = `${existing.join(' and ')} ${existing.length === 1 ? 'exists already and was' : 'exist already and were'} not changed.`;
  const done = written.length === 0 ? 'Nothing was written.' : `${written.join(' and ')} was written.`;
  printError(context, `error: ${what} ${done} Add the hook on stdout by hand, or name another agent with --dialect.`);
  const files = written.map((file) => join(projectDir, file));
  if (json) printJson(context, { dialect, files, existing: existing.map((file) => join(projectDir, file)), settings });
  else context.stdout.write(`${JSON.stringify(settings, null, 2)}\n`);
  return ExitStatus.expectedFailure;
}
