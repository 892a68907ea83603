import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks, type Hooks } from 'tenterhook';
import { watchVerdicts } from './verdict-table.js';

/** The workspace of the example agent, with its hooks. */
const workspaceOfAgent = new URL('../../agent-loop/workspace', import.meta.url);

/**
 * Runs an agent in a copy of the workspace of `examples/agent-loop`, with the hooks that are configured there, and prints the table of its
 * calls. The copy is a folder inside of a temporary folder, so that a file that is written outside of the workspace is removed too.
 */
export async function inWorkspace(use: (hooks: Hooks, workspace: string) => Promise<void>): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'adapters-'));
  const workspace = join(scratch, 'workspace');
  try {
    await cp(workspaceOfAgent, workspace, { recursive: true });
    const hooks = await createHooks({ projectDir: workspace, sessionId: 'station', settings: [join(workspace, '.llxprt/settings.json')] });
    const table = watchVerdicts(hooks);
    try {
      await use(hooks, workspace);
    } finally {
      await hooks.dispose();
    }
    console.log(await table);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
