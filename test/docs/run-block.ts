import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { createHooks } from 'tenterhook';
import { noOtherHome } from '../support/environment.js';
import { NatsServer } from '../support/nats-server.js';
import { type CliRun, runCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';
import { type Block, commandsOf, filesAbove, inLanguages, isAsShown, withoutTimes } from './blocks.js';

/** The programs. Each runs and prints the text that the page shows. */
export const programs = inLanguages('js', 'ts').filter(({ file }) => file === undefined);

/**
 * The blocks with shell lines. Lines that call npm are left out, because the scripts of npm have their own tests, and one of them runs this
 * test.
 */
export const commandBlocks = inLanguages('sh').filter((block) => commandsToRun(block).length > 0);

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly error?: string;
}

let host: ChildProcess | undefined;
let natsHost: { readonly server: NatsServer; readonly process: ChildProcess } | undefined;
afterAll(async () => {
  for (const started of [host, natsHost?.process]) {
    if (started === undefined) continue;
    const ended = once(started, 'exit');
    started.kill();
    await ended;
  }
  await natsHost?.server.stop();
});

function startHost(env: Readonly<Record<string, string>> = {}): ChildProcess {
  return fork(join(import.meta.dirname, 'program-host.mjs'), {
    env: { ...process.env, ...noOtherHome, ...env },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** Programs that connect to a NATS server find one at `NATS_URL`. */
async function hostOf(text: string): Promise<ChildProcess> {
  if (!needsNats(text)) {
    host ??= startHost();
    return host;
  }
  if (natsHost === undefined) {
    const server = await NatsServer.start();
    natsHost = { server, process: startHost({ NATS_URL: server.url }) };
  }
  return natsHost.process;
}

export function needsNats(text: string): boolean {
  return text.includes('@tenterhook/transport-nats');
}

export async function runProgram({ language, text, prints }: Block): Promise<void> {
  // The program finds packages as in a user's project.
  await inFolder({}, async (folder) => {
    const file = join(folder, 'example.mjs');
    writeFileSync(file, withInstalledNames(language === 'js' ? text : withoutTypes(text)));
    const programHost = await hostOf(text);
    const answered = once(programHost, 'message');
    programHost.send({ file, folder });
    const [printed] = (await answered) as [Printed];
    expect({ ...printed, stdout: '' }).toEqual({ stdout: '', stderr: '' });
    if (prints !== undefined) expect(printed.stdout.trimEnd()).toBe(prints.trimEnd());
  });
}

/** Frameworks of which the workspace has several versions, so that none is installed under its own name. The pages show the newest. */
const installedNames: Readonly<Record<string, string>> = { ai: 'ai-v7' };

function withInstalledNames(text: string): string {
  return text.replaceAll(/(?<= from ')(\w[\w-]*)(?=(?:\/[\w-]+)?';)/g, (name) => installedNames[name] ?? name);
}

function withoutTypes(text: string): string {
  return transformSync(text, { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }).code;
}

export async function runCommands(block: Block): Promise<void> {
  const files = filesAbove(block);
  const state = mkdtempSync(join(tmpdir(), 'tenterhook-docs-'));
  await inFolder(Object.fromEntries(files), async (folder) => {
    let printed = '';
    const place = { cwd: files.size === 0 ? root : folder, home: state, env: { XDG_STATE_HOME: state } };
    for (const command of commandsToRun(block)) {
      if (command === trustCommand) await acceptAll(place.cwd, state);
      else printed += await runCommand(command, place);
    }
    if (block.prints !== undefined && !isAsShown(block.prints, printed)) {
      expect(withoutTimes(printed)).toBe(withoutTimes(block.prints));
    }
  }).finally(() => rmSync(state, { recursive: true }));
}

/** Asks a user on a terminal, so a test gives the answers in another way. Every other command runs as a reader types it. */
const trustCommand = 'npx tenterhook trust';

async function acceptAll(projectDir: string, state: string): Promise<void> {
  const trust = { mode: 'store', directory: join(state, 'tenterhook/trust') } as const;
  await using hooks = await createHooks({ projectDir, trust });
  const requests = hooks.trust.requests();
  expect(requests).not.toEqual([]);
  for (const { pin } of requests) await hooks.trust.accept(pin);
}

/** Where commands run. Their home directory is their own, because the hooks of the user who runs this test must not take part. */
interface CommandPlace {
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
}

function commandsToRun(block: Block): string[] {
  return commandsOf(block).filter((command) => !command.startsWith('npm '));
}

async function runCommand(command: string, place: CommandPlace): Promise<string> {
  expect(command).toMatch(/^([A-Z_]+=\S+ )?(npx tenterhook|npx jest [\w.]+\.mjs$|node examples\/|node (--test \S+ )?[\w.]+\.mjs$)/);
  const words = command.startsWith('npx tenterhook ') ? wordsOf(command) : undefined;
  const run = words === undefined ? runInShell(command, place) : await runCli(words.slice(2), { ...place, trusts: false });
  expect({ command, status: run.status, stderr: run.stderr }).toMatchObject({ status: 0 });
  expect(run.stdout).not.toBe('');
  return run.stdout;
}

/** The folder of a page is below node_modules, where jest looks for no tests. */
const jestConfig = JSON.stringify({ rootDir: '.', haste: { retainAllFiles: true }, testPathIgnorePatterns: [], transform: {} });

function runInShell(command: string, { cwd, home, env: own }: CommandPlace): CliRun {
  const env = { ...process.env, ...noOtherHome, HOME: home, USERPROFILE: home, ...own };
  const line = command
    .replace('npx tenterhook', join(root, 'node_modules/.bin/tenterhook'))
    .replace(/npx jest (.*)/, (_line, file) => `CI=false ${join(root, 'node_modules/.bin/jest')} --config '${jestConfig}' ${file} 2>&1`);
  return spawnSync('bash', ['-c', line], { cwd, encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The words of a line without operators and expansions. Undefined for any other line, which needs a shell. */
function wordsOf(command: string): string[] | undefined {
  const words = [...command.matchAll(/'([^']*)'(?=\s|$)|([^\s'"`$|&;<>()*?\\]+)(?=\s|$)/g)];
  const [rest] = [words.reduce((left, [word]) => left.replace(word, ''), command)];
  return rest?.trim() === '' ? words.map((word) => word[1] ?? (word[2] as string)) : undefined;
}

/** Calls a function with a directory inside of the repository that contains these files. Scripts are executable. */
export async function inFolder(files: Readonly<Record<string, string>>, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(root, 'node_modules', '.docs-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
