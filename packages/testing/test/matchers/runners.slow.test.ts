import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { root } from '../../../../test/support/sources.js';

// A test starts a runner up to nine times.
jest.setTimeout(300_000);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenterhook-runners-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Runner {
  readonly name: 'jest' | 'vitest';
  /** The start of the program, after `node`. */
  readonly words: () => readonly string[];
  /** The module that has `test` and `expect`. */
  readonly globals: string;
  /** The command that writes a recording. */
  readonly command: string;
  /** The options, and the variables, with which nothing is written. */
  readonly withoutWriting: readonly (readonly [args: readonly string[], env: Readonly<Record<string, string>>])[];
}

const runners: readonly Runner[] = [
  {
    name: 'jest',
    words: () => {
      const options = { rootDir: folder, testMatch: ['**/*.test.mjs'], transform: {}, moduleFileExtensions: ['mjs', 'js'] };
      const config = JSON.stringify({ ...options, testPathIgnorePatterns: [] });
      return ['--experimental-vm-modules', '--no-warnings', join(root, 'node_modules/jest/bin/jest.js'), '--config', config, '-i'];
    },
    globals: '@jest/globals',
    command: "npx jest agent.test.mjs -t 'the agent asks' -u",
    withoutWriting: [
      [['--ci'], {}],
      [[], { CI: 'true' }],
    ],
  },
  {
    name: 'vitest',
    words: () => {
      const config = join(folder, 'vitest.config.mjs');
      writeFileSync(config, `export default { cacheDir: '.cache', test: { include: ['*.test.mjs'], pool: 'forks' } };`);
      // Otherwise vite writes a copy of the configuration to node_modules.
      return [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', config, '--configLoader', 'native'];
    },
    globals: 'vitest',
    command: "npx vitest run agent.test.mjs -t 'the agent asks' -u",
    // vitest has no option for this.
    withoutWriting: [[[], { CI: 'true' }]],
  },
];

const testOf = ({ name, globals }: Runner, kind: string) => `
import { expect, test } from '${globals}';
import { MessageBus } from '@tenterhook/bus';
import { recordBus } from '@tenterhook/testing';
import '@tenterhook/testing/${name}';

for (const tool_name of ['write_file', 'deploy']) {
  test('the agent asks', async () => {
    const bus = new MessageBus();
    const verdict = { kind: '${kind}', stop: false, by: ['guard'], stoppedBy: [] };
    const output = { success: true, verdict, changes: [], allOutputs: [], outcomes: [], errors: [], totalDuration: 1 };
    bus.respond('HOOK_EXECUTION_REQUEST', () => ({ success: true, output }));
    const recorder = recordBus(bus);
    const response = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforeTool', input: { tool_name, tool_input: {} } });
    await recorder.close();
    if ('${kind}' === 'deny') expect(response).toHaveBeenBlockedBy('guard');
    await expect(recorder).toMatchBusRecording();
  });
}
`;

/** Runs a test file. Returns the exit status and everything that was printed, without colours. */
function runFile(runner: Runner, text: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(folder, 'agent.test.mjs'), text);
  // Both runners know the variables of many CI systems, and jest those of a test that it runs.
  const { PATH, HOME, TMPDIR = tmpdir() } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [...runner.words(), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, HOME, TMPDIR, NO_COLOR: '1', ...env },
  });
  return { status, printed: stdout + stderr };
}

function recordings(): Record<string, string> {
  const place = join(folder, '__recordings__/agent.test.mjs');
  try {
    return Object.fromEntries(readdirSync(place).map((file) => [file, readFileSync(join(place, file), 'utf8')]));
  } catch {
    return {};
  }
}

test.each(runners.map((runner) => [runner.name, runner] as const))(
  'record-replay cases 34 and 36: %s writes what is missing, fails on a difference, and writes again with -u; in CI it writes nothing',
  (_name, runner) => {
    const run = (kind: string, args: readonly string[], env?: Readonly<Record<string, string>>) =>
      runFile(runner, testOf(runner, kind), args, env);
    for (const [args, env] of runner.withoutWriting) {
      const missing = run('deny', args, env);
      expect(missing).toMatchObject({ status: 1, printed: expect.stringContaining(runner.command) });
      expect(recordings()).toEqual({});
    }
    expect(run('deny', [])).toMatchObject({ status: 0 });
    const written = recordings();
    expect(Object.keys(written).sort()).toEqual(['the-agent-asks.2.bus.jsonl', 'the-agent-asks.bus.jsonl']);
    for (const [args, env] of runner.withoutWriting) expect(run('deny', args, env)).toMatchObject({ status: 0 });
    const different = run('allow', []);
    expect(different).toMatchObject({ status: 1, printed: expect.stringMatching(/verdict +deny → allow/) });
    expect(different.printed).toContain(runner.command);
    expect(recordings()).toEqual(written);
    expect(run('allow', ['-u'])).toMatchObject({ status: 0 });
    expect(recordings()['the-agent-asks.bus.jsonl']).toContain('"kind":"allow"');
  },
);

const assertionsOf = ({ name, globals }: Runner) => `
import { expect, test } from '${globals}';
import '@tenterhook/testing/${name}';

const fields = { eventName: 'X', source: 'user', dialect: 'llxprt', durationMs: 1, warnings: [] };
const outcomes = [
  { hookId: 'user/guard', name: 'guard', status: 'blocked', ...fields },
  { hookId: 'user/other', name: 'other', status: 'succeeded', ...fields },
];
const verdict = { kind: 'deny', stop: false, by: ['user/guard'], stoppedBy: [] };
const result = { success: true, verdict, changes: [{ path: 'a', hookId: 'user/guard', before: 1, after: 2 }], allOutputs: [], outcomes, errors: [], totalDuration: 1 };

test('passes', () => {
  for (const hook of ['guard', 'user/guard', /gua/]) expect(result).toHaveBeenBlockedBy(hook);
  expect(result).not.toHaveBeenBlockedBy('other');
  expect(result).toHaveRun('guard');
  expect(result).toHaveRewritten('a', expect.any(Number));
  expect(result).not.toHaveSkipped('guard');
});
test('throws', () => {
  for (const wrong of [undefined, 'deny', {}, Promise.resolve(result)]) {
    expect(() => expect(wrong).toHaveBeenBlockedBy('guard')).toThrow('expect() must receive the result of an event');
    expect(() => expect(wrong).not.toHaveBeenBlockedBy('guard')).toThrow('expect() must receive the result of an event');
  }
  expect(() => expect(result).not.toHaveBeenBlockedBy('gaurd')).toThrow('no hook of this event is gaurd, so the assertion with .not cannot fail');
});
test('fails', () => expect(result).toHaveBeenBlockedBy('other'));
`;

test.each(runners.map((runner) => [runner.name, runner] as const))(
  'record-replay case 35: the matchers of %s pass, fail with who decided instead, and throw for a wrong received value, also with .not',
  (_name, runner) => {
    const { status, printed } = runFile(runner, assertionsOf(runner), []);
    expect(status).toBe(1);
    expect(printed).toMatch(/1 failed[^\n]*2 passed/);
    expect(printed).toContain('The verdict is deny by user/guard');
  },
);
