import { until } from '../support/until.js';
import { expectEndBy, expectEndByBoth, whileRunning, withChildren } from './running-hook.js';

test.each([
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
] as const)('%s ends the event and its hook, and the command with %i; nothing is left', expectEndBy);

test('without --json the report shows the hook that was cut short', async () => {
  await whileRunning(withChildren, [], async ({ cli, hookProcesses }) => {
    cli.kill('SIGINT');
    const { status, stdout, stderr } = await cli.ended;
    expect(status).toBe(130);
    expect(stdout + stderr).toMatch(/cancelled/);
    expect(hookProcesses()).toEqual([]);
  });
});

test('the command waits for an asynchronous hook, and is ended by a signal', async () => {
  const detached = (command: string, env: object) => ({
    PreToolUse: [{ hooks: [{ type: 'command', command: `export MARK='${(env as { MARK: string }).MARK}'; ${command}`, async: true }] }],
  });
  await whileRunning(
    withChildren,
    [],
    async ({ cli, hookProcesses }) => {
      await until('the hook has a child', () => hookProcesses().length >= 1);
      cli.kill('SIGINT');
      const { status, stdout, stderr } = await cli.ended;
      expect(status).toBe(130);
      expect(stdout).toContain('runs asynchronously');
      expect(stderr).toContain('note: Waiting for 1 asynchronous hook to end. Ctrl-C stops it.');
      await until('the hook is gone', () => hookProcesses().length === 0);
    },
    detached,
  );
});

test.each([['SIGINT', 'SIGINT', 130]] as const)(
  '%s, then %s: the command ends with %i and takes a hook with it that does not want to',
  expectEndByBoth,
);
