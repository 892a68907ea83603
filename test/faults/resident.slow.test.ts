import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freshDirectory, outcomeAt, settingsOf } from '../support/fire-hooks.js';
import { until } from '../support/until.js';
import { fault } from './fault.js';
import { isRunning } from './process-state.js';
import { expectFailures, expectGood, failsOnce, misbehavingOnce, withResidents } from './resident-hooks.js';
import { startAgent } from './running-agent.js';

const pidIn = (file: string): number => Number(readFileSync(file, 'utf8'));

fault('R12', () =>
  withResidents(
    misbehavingOnce(`echo $$ > "pid-$NAME"; sleep 600 & echo $! > "child-$NAME"; wait; say late`),
    async (fire, { projectDir }) => {
      expectFailures(await fire(), 'timed-out', 'timeout');
      for (const name of ['pid-open', 'child-open', 'pid-closed', 'child-closed']) {
        await until(`${name} is gone`, () => !isRunning(pidIn(join(projectDir, name))));
      }
      expect(expectGood(await fire())).toEqual([]);
    },
    { timeout: 2000 },
  ),
);

fault('R13', () => failsOnce(`trap '' TERM; sleep 600; sleep 600`, 'timed-out', 'timeout', { timeout: 2000 }));

fault('R14', () =>
  withResidents(
    `[ -e "over-$NAME" ] || { : > "over-$NAME"; sleep 600; }; ${misbehavingOnce('')}`,
    async (fire) => {
      expectFailures(await fire({ text: 'x'.repeat(1_000_000) }), 'timed-out', 'timeout');
      expect(expectGood(await fire())).toEqual([]);
    },
    { timeout: 2000 },
  ),
);

fault('R16', () =>
  withResidents('echo "$TENTERHOOK_MODE" >> "starts-$NAME"; exit 7', async (fire, { read }) => {
    const routes: (string | undefined)[] = [];
    // On a slow machine a pause may be over before the next event. The pauses grow, so this ends.
    while (routes.at(-1) !== 'cold' && routes.length < 20) {
      const result = await fire();
      expect(result.verdict.kind).toBe('deny');
      expect(outcomeAt(result, 0)).toMatchObject({ status: 'failed', exitCode: 7 });
      routes.push(outcomeAt(result, 0).route?.kind);
    }
    expect([...routes.slice(0, 2), routes.at(-1)]).toEqual(['resident', 'resident', 'cold']);
    expect(read('starts-open')).toBe(routes.map((route) => (route === 'resident' ? 'resident\n' : '\n')).join(''));
  }),
);

fault('R17', async () => {
  const command = misbehavingOnce(`echo $$ > pid; sleep 600 & echo $! > child; say ready`);
  const projectDir = freshDirectory();
  const settings = settingsOf('BeforeTool', [{ command, mode: 'resident', env: { NAME: 'a' } }]);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    rmSync(join(projectDir, 'over-a'), { force: true });
    const agent = startAgent({ projectDir, settings, atStart: '', thereafter: `console.log((await fired).verdict.kind);` });
    agent.goOn();
    await agent.said('none');
    const [pid, child] = [pidIn(join(projectDir, 'pid')), pidIn(join(projectDir, 'child'))];
    expect([isRunning(pid), isRunning(child)]).toEqual([true, true]);
    agent.kill(signal);
    await agent.ended;
    await until('the process is gone', () => !isRunning(pid));
    // After SIGKILL, the end of its input ends the hook, but not the child.
    if (signal === 'SIGKILL') process.kill(child, 'SIGKILL');
    await until('the child is gone', () => !isRunning(child));
  }
  rmSync(projectDir, { recursive: true, force: true });
});
