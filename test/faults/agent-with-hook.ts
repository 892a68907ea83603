import { rmSync } from 'node:fs';
import { type HookRun, hookRig } from '@tenterhook/testing';
import { freshDirectory, settingsOf } from '../support/fire-hooks.js';
import { growTree, type ProcessTree } from './process-tree.js';
import { type AgentProgram, type RunningAgent, startAgent } from './running-agent.js';

export interface Scene {
  readonly agent: RunningAgent;
  readonly run: HookRun;
  readonly tree: ProcessTree;
}

/** Starts an agent in a process, and calls the function while a hook of the agent runs with a tree of processes that ignore SIGTERM. */
export async function whileHookRuns(
  program: Pick<AgentProgram, 'atStart' | 'thereafter'>,
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
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

export async function expectNothingLeft({ agent, tree }: Scene): Promise<void> {
  await tree.ended;
  expect(agent.privateDirectories()).toEqual([]);
}
