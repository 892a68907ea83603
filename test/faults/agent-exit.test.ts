import { expectNothingLeft, whileHookRuns } from './agent-with-hook.js';
import { fault } from './fault.js';
import { isRunning } from './process-state.js';

fault('C8', () =>
  whileHookRuns({ thereafter: 'process.exit(3);' }, async (scene) => {
    scene.agent.goOn();
    expect(await scene.agent.ended).toMatchObject({ status: 3, signal: null, stderr: '' });
    await expectNothingLeft(scene);
  }),
);

fault('C9', async () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  await Promise.all(
    signals.map((signal) =>
      whileHookRuns({}, async (scene) => {
        scene.agent.kill(signal);
        expect(await scene.agent.ended).toMatchObject({ status: null, signal, stderr: '' });
        await expectNothingLeft(scene);
      }),
    ),
  );
});

/** Reports that it has received SIGTERM, and ends when its hook has answered. */
const onSigterm = `console.log('heard');
  console.log((await fired).verdict.kind);
  await hooks.dispose();
  process.stdin.destroy();`;

fault('C11', () =>
  whileHookRuns({ atStart: `process.once('SIGTERM', async () => { ${onSigterm} });` }, async ({ agent, run, tree }) => {
    agent.kill('SIGTERM');
    await agent.said('heard');
    expect(tree.pids.filter(isRunning)).toEqual(tree.pids);
    void run.stderr('no');
    void run.exit(2);
    expect(await agent.ended).toEqual({ status: 0, signal: null, stdout: 'heard\ndeny\n', stderr: '' });
  }),
);
