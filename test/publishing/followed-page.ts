import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Block, blocks, commandsOf, filesAbove, isAsShown, pages, withoutTimes } from '../docs/blocks.js';
import { acceptAll, trustCommand, withoutTypes } from '../docs/run-block.js';
import { noOtherHome } from '../support/environment.js';
import type { LocalRegistry } from './local-registry.js';

/** A page that a new user can follow: it has programs or commands, and is not about a clone of the repository. */
export interface FollowedPage {
  readonly page: string;
  /** What the user installs: the packages of the commands on the page or, without such a command, those that its programs import. */
  readonly installs: readonly string[];
  readonly blocks: readonly Block[];
}

/** Blocks that name files of the repository. They are about a clone. */
const aboutAClone = /\bexamples\/|\bpackages\/|<clone>/;

export function followedPages(): FollowedPage[] {
  const forUsers = pages.filter((page) => /^(?:README\.md$|docs\/(?!contributing\/)|packages\/[^/]+\/README\.md$)/.test(page));
  return forUsers.flatMap((page) => {
    const all = blocks.filter((block) => block.page === page);
    const run = all.filter((block) => isProgram(block) || (block.language === 'sh' && commandsToRun(block).length > 0));
    const commands = installCommands(all);
    const imported = [...new Set(run.filter(isProgram).flatMap(({ text: program }) => packagesIn(program)))];
    const installs = commands.length > 0 ? commands : imported.length > 0 ? imported.sort() : ['tenterhook'];
    return run.length === 0 ? [] : [{ page, installs, blocks: run }];
  });
}

const isProgram = (block: Block) => ['js', 'ts'].includes(block.language) && block.file === undefined && !aboutAClone.test(block.text);

/** The words after `npm install` in all commands of a page. */
function installCommands(all: readonly Block[]): string[] {
  const lines = all.filter(({ language }) => language === 'sh').flatMap(commandsOf);
  return lines.flatMap((line) => (aboutAClone.test(line) ? [] : (/^npm install (.+)$/.exec(line)?.[1]?.split(' ') ?? [])));
}

function commandsToRun(block: Block): string[] {
  return commandsOf(block).filter((command) => !command.startsWith('npm ') && !aboutAClone.test(command));
}

/** The packages that a program imports. */
export function packagesIn(program: string): string[] {
  return [...program.matchAll(/(?:from|import) '([^'.][^']*)'|import\('([^'.][^']*)'\)/g)]
    .map((match) => match[1] ?? (match[2] as string))
    .filter((specifier) => !specifier.startsWith('node:'))
    .map((specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
}

/** An empty project in which packages were installed. */
export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'tenterhook-project-'));
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(registry: LocalRegistry, env: Readonly<Record<string, string>>) {
    // A user follows the pages on a machine of their own, where a missing recording is written.
    this.#environment = { ...process.env, ...noOtherHome, ...registry.environment, ...env, NO_COLOR: '1', CI: 'false' };
    writeFileSync(join(this.folder, 'package.json'), '{ "private": true }\n');
  }

  static async create(registry: LocalRegistry, installs: readonly string[], env: Readonly<Record<string, string>>): Promise<Project> {
    const project = new Project(registry, env);
    const { status, output } = await project.#run('npm', ['install', '--loglevel=error', ...installs], project.folder, project.folder);
    if (status !== 0) throw new Error(`npm install ${installs.join(' ')} ended with ${status}:\n${output}`);
    return project;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Runs a block as a user does after creating the files above it. Returns what is not as the page says. */
  async follow(block: Block): Promise<string | undefined> {
    const folder = mkdtempSync(join(this.folder, 'page-'));
    try {
      for (const [file, content] of filesAbove(block)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), content, { mode: content.startsWith('#!') ? 0o755 : 0o644 });
      }
      const { status, output, stderr } = isProgram(block) ? await this.#runProgram(block, folder) : await this.#runCommands(block, folder);
      if (status !== 0) return `ended with ${status}: ${stderr}${output}`;
      if (block.prints === undefined || isAsShown(block.prints, output)) return undefined;
      return `printed:\n${withoutTimes(output)}\ninstead of:\n${withoutTimes(block.prints)}`;
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  #runProgram({ language, text: program }: Block, folder: string) {
    writeFileSync(join(folder, 'example.mjs'), language === 'js' ? program : withoutTypes(program));
    return this.#run(process.execPath, ['example.mjs'], folder, folder);
  }

  async #runCommands(block: Block, folder: string) {
    const home = mkdtempSync(join(tmpdir(), 'tenterhook-home-'));
    try {
      const ran = { status: 0 as number | null, output: '', stderr: '' };
      for (const command of commandsToRun(block)) {
        if (command === trustCommand) await acceptAll(folder, home);
        else {
          // npx finds the command in the folder of the project, and takes half a second to find it.
          const line = command.replace('npx ', `${join(this.folder, 'node_modules/.bin')}/`);
          const { status, output, stderr } = await this.#run('bash', ['-c', line], folder, home);
          Object.assign(ran, { status: ran.status === 0 ? status : ran.status, output: ran.output + output, stderr: ran.stderr + stderr });
        }
      }
      return ran;
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  async #run(file: string, args: readonly string[], cwd: string, home: string) {
    const env = { ...this.#environment, HOME: home, USERPROFILE: home, XDG_STATE_HOME: home };
    const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    const [output, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { status, output, stderr };
  }
}
