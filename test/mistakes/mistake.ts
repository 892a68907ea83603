import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withPlaces } from '../support/places.js';
import { testWithPrograms } from '../support/program.js';
import { type CliRun, runCli } from '../support/run-cli.js';
import { page, readPageRows } from './page-rows.js';

/** One mistake in settings or in a script, in its own project and home directory. */
export interface Mistake {
  /** The id of its row on the page, as a plain string literal. */
  readonly id: string;
  /** The files by path in the project, or below `~/`. Anything but text is written as JSON. Files named `*.sh` are executable. */
  readonly files: Readonly<Record<string, unknown>>;
  /** The modes of files that do not have the usual mode. */
  readonly modes?: Readonly<Record<string, number>>;
  /** The event of `explain` and `fire`. @default 'BeforeTool' */
  readonly event?: string;
  /** Its input. @default a call of run_shell_command with `ls` */
  readonly input?: object;
  /** The name of the project's folder. @default 'project' */
  readonly project?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that the hooks need, besides bash. */
  readonly programs?: readonly string[];
}

/** What a command printed. */
export interface Printed extends CliRun {
  /** stdout and stderr. White space is replaced by one blank, because it depends on the width. */
  readonly text: string;
}

/** The three commands that find a mistake. They run in the project; further arguments are added at the end. */
export interface MistakeScene {
  readonly project: string;
  readonly home: string;
  validate(...args: string[]): Promise<Printed>;
  explain(...args: string[]): Promise<Printed>;
  fire(...args: string[]): Promise<Printed>;
}

/**
 * Declares the test of one mistake: the commands in `run` say what is wrong, where, and how to fix it. Afterwards, the symptoms in the
 * mistake's row on the page must be part of the output of these commands, so that people find the row by what they see.
 */
export function mistake(declared: Mistake, run: (scene: MistakeScene) => Promise<void>): void {
  testWithPrograms(declared.programs ?? [], `mistake ${declared.id}`, () =>
    withPlaces(async ({ home, at }) => {
      const project = at(declared.project ?? 'project');
      mkdirSync(project, { recursive: true });
      writeFiles(declared, project, home);
      const printed: string[] = [];
      const command = async (args: readonly string[]): Promise<Printed> => {
        const { status, stdout, stderr } = await runCli(args, { cwd: project, home, env: declared.env ?? {} });
        const text = oneBlank(`${stdout}\n${stderr}`);
        printed.push(text);
        return { status, stdout, stderr, text };
      };
      const { event = 'BeforeTool', input = { tool_name: 'run_shell_command', tool_input: { command: 'ls' } } } = declared;
      const aboutEvent = [event, '--input', JSON.stringify(input)];
      await run({
        project,
        home,
        validate: (...args) => command(['validate', ...args]),
        explain: (...args) => command(['explain', ...aboutEvent, ...args]),
        fire: (...args) => command(['fire', ...aboutEvent, ...args]),
      });
      for (const symptom of symptomsOf(declared.id))
        expect({ symptom, printed }).toEqual({ symptom, printed: expect.arrayContaining([expect.stringMatching(toPattern(symptom))]) });
    }),
  );
}

/** Settings in LLxprt's format that switch hooks on and have these hooks of one event, one a line from line 5 on. */
export function settingsWith(hooks: readonly object[], event = 'BeforeTool'): string {
  const lines = hooks.map((hook) => `      ${JSON.stringify(hook)}`).join(',\n');
  return `{\n  "tools": { "enableHooks": true },\n  "hooks": {\n    "${event}": [{ "hooks": [\n${lines}\n    ] }]\n  }\n}\n`;
}

function writeFiles({ files, modes = {} }: Mistake, project: string, home: string): void {
  for (const [name, content] of Object.entries(files)) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, undefined, 2));
    chmodSync(path, modes[name] ?? (name.endsWith('.sh') ? 0o755 : 0o644));
  }
}

function symptomsOf(id: string): readonly string[] {
  const rows = readPageRows().filter((row) => row.id === id);
  if (rows.length !== 1) throw new Error(`${page} has ${rows.length} rows with the id \`${id}\`.`);
  const { symptoms = [] } = rows[0] ?? {};
  if (symptoms.length === 0) throw new Error(`The row \`${id}\` of ${page} quotes no symptom in backticks.`);
  return symptoms;
}

function toPattern(symptom: string): RegExp {
  return new RegExp(
    oneBlank(symptom)
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*'),
  );
}

function oneBlank(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
