import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli.js';
import { root } from '../support/sources.js';

const folder = join(root, 'examples/serve');
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const unit = textOf('tenterhook-serve.service');
const container = textOf('Containerfile');

/** The value of a setting of the unit. */
function setting(name: string): string {
  const value = new RegExp(`^${name}=(.+)$`, 'm').exec(unit)?.[1];
  if (value === undefined) throw new Error(`the unit has no ${name}`);
  return value;
}

/** The words of an instruction with a list. */
function words(instruction: string): string[] {
  return JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(container)?.[1] as string) as string[];
}

const commands = {
  unit: setting('ExecStart').split(' ').slice(1),
  container: [...words('ENTRYPOINT'), ...words('CMD')].slice(1),
};

test.each(Object.entries(commands))('the flags of the %s are flags of the command', async (_name, args) => {
  expect(args[0]).toBe('serve');
  const { stdout } = await runCli(['serve', '--help'], { cwd: root, trusts: false });
  const flags = args.filter((word) => word.startsWith('--'));
  expect(flags.length).toBeGreaterThan(4);
  for (const flag of flags) expect(stdout).toMatch(new RegExp(`^ +(?:-\\w, )?${flag}(?: |$)`, 'm'));
});

test.each(Object.entries(commands))('the command line of the %s is accepted up to what this machine lacks', async (_name, args) => {
  const adapted = args.map((word) => (word.startsWith('nats://') ? 'nats://127.0.0.1:1' : word.replace('/srv/hooks/web', folder)));
  // The directory of the project has no hooks, and the files with the pins and the token do not exist here.
  const { status, stderr } = await runCli(adapted, { cwd: folder, trusts: false });
  expect(status).toBe(1);
  expect(stderr).toMatch(/pins\.json|nats-token/);
});

test('the command lines contain no secret', () => {
  for (const text of [unit, container]) expect(text).not.toMatch(/NATS_PASSWORD=|NATS_TOKEN=|nats:\/\/[^/\s]*@/);
});

test('the unit stops the worker alone, gives it time, and reads the token as a credential', () => {
  expect(setting('KillMode')).toBe('mixed');
  const [name, path] = setting('LoadCredential').split(':');
  expect(path).toMatch(/^\//);
  expect(setting('ExecStart')).toContain(`--token-file %d/${name}`);
  const drainMs = Number(/--drain-timeout (\d+)/.exec(unit)?.[1]);
  expect(Number(setting('TimeoutStopSec')) * 1000).toBeGreaterThanOrEqual(60_000 + drainMs);
  expect(setting('WorkingDirectory')).toBe(/--namespace \w+=(\S+)/.exec(unit)?.[1]);
});

test('the container has a version of Node that the packages support, and installs packages of this repository', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'packages/tenterhook/package.json'), 'utf8')) as { engines: { node: string } };
  expect(/node:(\d+)-slim/.exec(container)?.[1]).toBe(/(\d+)/.exec(engines.node)?.[1]);
  const names = readdirSync(join(root, 'packages')).map((name) => (name === 'tenterhook' ? name : `@tenterhook/${name}`));
  const installed = /npm install --global (.+)$/m.exec(container)?.[1]?.split(' ') ?? [];
  expect(installed).toHaveLength(2);
  for (const name of installed) expect(names).toContain(name);
  const port = commands.container[commands.container.indexOf('--health-port') + 1];
  expect(words('HEALTHCHECK CMD').join(' ')).toContain(`http://127.0.0.1:${port}/readyz`);
});

test('what the page links to exists', () => {
  for (const [, path] of textOf('README.md').matchAll(/\]\(([^)#]+)/g)) expect(existsSync(join(folder, path as string))).toBe(true);
});
