import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Places } from '../support/places.js';
import { type CliRun, runCli } from '../support/run-cli.js';
import { acceptAll, denying, formatNames, formats, guard, withRepository, writeGuard } from './repository.js';

const claude = 'project/.claude/settings.json';
const call = JSON.stringify({ tool_name: 'run_shell_command', tool_input: { command: 'ls' } });

/** Runs the command line in the project, with the store of the test. */
function cliIn(places: Places, ...args: string[]): Promise<CliRun> {
  const env = { XDG_STATE_HOME: places.at('state') };
  return runCli(args, { cwd: places.project, home: places.home, env, trusts: false });
}

const fireIn = (places: Places, ...flags: string[]) => cliIn(places, 'fire', 'BeforeTool', '--input', call, ...flags);

/** The line on stderr about hooks that do not run. */
const line = (what: string) => `tenterhook: warning: ${what}\n`;
const oneIsNew = line('1 hook of this project does not run: it is not trusted. Run tenterhook trust.');

test('case 1: at the command line nothing of a fresh repository runs, and one line reports it', () =>
  withRepository(async (places) => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const name of formatNames) writeGuard(places, name, `touch ${name}`);
    // One more is the hook of the next line.
    const hookCount = formatNames.length + 1;
    places.write('project/.claude/settings.local.json', { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } });
    const { status, stdout, stderr } = await fireIn(places, '--json', '--allow-private-address', '127.0.0.1');
    server.close();
    expect({ status, stderr, requests }).toEqual({
      status: 0,
      stderr: line(`${hookCount} hooks of this project do not run: they are not trusted. Run tenterhook trust.`),
      requests: [],
    });
    const { outcomes } = JSON.parse(stdout).output;
    expect(outcomes.map((outcome: Record<string, string>) => [outcome['status'], outcome['skipReason']])).toEqual(
      Array(hookCount).fill(['skipped', 'untrusted']),
    );
    for (const name of formatNames) expect(places.read(`project/${name}`)).toBeUndefined();
  }));

test.each(['CI', 'GITHUB_ACTIONS'])('case 29: the variable %s changes nothing, and the exit status is 0', (variable) =>
  withRepository(async (places) => {
    places.write(claude, guard('touch ran; exit 2'));
    const env = { XDG_STATE_HOME: places.at('state'), [variable]: 'true' };
    const options = { cwd: places.project, home: places.home, env, trusts: false };
    const { status, stderr } = await runCli(['fire', 'BeforeTool', '--input', call, '--exit-code'], options);
    expect({ status, stderr, ran: places.read('project/ran') }).toEqual({ status: 0, stderr: oneIsNew, ran: undefined });
  }),
);

test.each<[state: string, prepare: (places: Places) => void, said: string, exitStatus: number]>([
  [
    'changed',
    (places) => places.write('project/guard.sh', '#!/bin/sh\nexit 0\n', 0o755),
    '1 hook of this project does not run: 1 changed since it was trusted. Run tenterhook trust.',
    3,
  ],
  [
    'refused',
    (places) => places.write('project/guard.sh', denying('guarded'), 0o777),
    '1 hook of this project does not run: 1 refused. Run tenterhook trust --show to see why.',
    3,
  ],
])('a guard that is %s is named, and asks with --exit-code', (state, prepare, said, exitStatus) =>
  withRepository(async (places, discover) => {
    places.write('project/guard.sh', denying('guarded'), 0o755);
    places.write(claude, guard('./guard.sh'));
    await discover(acceptAll);
    expect(await fireIn(places, '--exit-code')).toMatchObject({ status: 2, stderr: '' });
    prepare(places);
    expect(await fireIn(places, '--exit-code')).toMatchObject({
      status: exitStatus,
      stderr: line(said),
      stdout: expect.stringContaining('skipped: untrusted'),
    });
    expect((await fireIn(places)).status).toBe(0);
    const { hooks } = JSON.parse((await cliIn(places, 'list', '--json')).stdout);
    expect(hooks).toMatchObject([{ state: 'untrusted', trust: state, reason: expect.stringContaining('does not run') }]);
    const explained = JSON.parse((await cliIn(places, 'explain', 'BeforeTool', '--json')).stdout);
    expect(explained.hooks).toMatchObject([{ wouldRun: false, trust: state }]);
    const all = JSON.parse((await cliIn(places, 'explain', '--json')).stdout);
    expect(all.events).toMatchObject([{ hooks: [{ trust: state }] }]);
  }),
);

test.each(['list', 'explain', 'validate'])('%s reports the hook with its reason, and the directory that was passed', (command) =>
  withRepository(async (places) => {
    places.write(claude, guard('exit 2'));
    const { status, stdout, stderr } = await runCli([command, '--cwd', places.project], {
      cwd: places.home,
      env: { XDG_STATE_HOME: places.at('state') },
      trusts: false,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: oneIsNew.replace('trust.\n', `trust --cwd ${places.project}.\n`) });
    expect(stdout.replace(/\s+/g, ' ')).toContain('it comes with the project and is not trusted');
  }),
);

test('hooks of the user that run files of the project, or may, are counted apart', () =>
  withRepository(async (places) => {
    places.write('project/guard.sh', denying('guarded'), 0o755);
    places.write('home/.claude/settings.json', guard('./guard.sh'));
    places.write('home/.gemini/settings.json', formats['gemini-cli'].settings([{ command: 'eval "$GUARD"' }]));
    places.write(claude, guard('exit 2'));
    const said =
      '3 hooks of this project do not run: 1 not trusted, 2 of your own settings may run files of the project. Run tenterhook trust.';
    expect(await fireIn(places)).toMatchObject({ stderr: line(said) });
  }));

test('a hook that the user has denied is not mentioned again', () =>
  withRepository(async (places, discover) => {
    places.write(claude, guard('exit 2'));
    await discover(async ({ hooks }) => hooks.trust.deny(hooks.trust.requests()[0]?.pin ?? ''));
    expect(await fireIn(places)).toMatchObject({ status: 0, stderr: '' });
  }));

test('settings that are named on the command line run without a question', () =>
  withRepository(async (places) => {
    places.write(claude, guard('exit 2'));
    const { status, stderr } = await fireIn(places, '--exit-code', '--settings', '.claude/settings.json');
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
  }));
