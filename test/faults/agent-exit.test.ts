import { rmSync } from 'node:fs';
import { type HookRun, hookRig } from '@tenterhook/testing';
import { freshDirectory, settingsOf } from '../support/fire-hooks.js';
import { directoriesOf } from '../support/running-cli.js';
import { fault } from './fault.js';
import { isRunning } from './process-state.js';
import { growTree, type ProcessTree } from './process-tree.js';
import { type AgentProgram, type RunningAgent, startAgent } from './running-agent.js';

interface Scene {
  readonly agent: RunningAgent;
  readonly run: HookRun;
  readonly tree: ProcessTree;
}

/** An agent of its own, while its hook runs, and has grown a tree that does not care for SIGTERM. */
async function whileHookRuns(program: Pick<AgentProgram, 'atStart' | 'thereafter'>, use: (scene: Scene) => Promise<void>): Promise<void> {
  const rig = await hookRig();
  const projectDir = freshDirectory();
  const agent = startAgent({ ...program, projectDir, settings: settingsOf('BeforeTool', [rig.command()]) });
  try {
    const run = await rig.nextRun();
    await use({ agent, run, tree: await growTree(run) });
  } finally {
    agent.kill('SIGKILL');
    await rig.close();
    await agent.ended;
    rmSync(projectDir, { recursive: true, force: true });
  }
}

async function expectNothingLeft({ agent, tree }: Scene): Promise<void> {
  await tree.ended;
  expect(directoriesOf(agent.pid)).toEqual([]);
}

fault('C8', () =>
  whileHookRuns({ thereafter: 'process.exit(3);' }, async (scene) => {
    scene.agent.goOn();
    expect(await scene.agent.ended).toMatchObject({ status: 3, signal: null, stderr: '' });
    await expectNothingLeft(scene);
  }),
);

fault('C9', async () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    await whileHookRuns({}, async (scene) => {
      scene.agent.kill(signal);
      expect(await scene.agent.ended).toMatchObject({ status: null, signal, stderr: '' });
      await expectNothingLeft(scene);
    });
  }
});

fault('C10', () =>
  whileHookRuns({ thereafter: `throw new Error('of the agent');` }, async (scene) => {
    scene.agent.goOn();
    expect(await scene.agent.ended).toMatchObject({ status: 1, signal: null, stderr: expect.stringContaining('Error: of the agent') });
    await expectNothingLeft(scene);
  }),
);

/** Says that it has heard SIGTERM, and ends when its hook has answered. */
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
