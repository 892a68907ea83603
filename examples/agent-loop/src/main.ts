import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { createHooks, formatDiagnostic, reportToTerminal } from 'tenterhook';
import { type FinishedCall, runAgentLoop } from './agent-loop.js';
import { createNarrator } from './narrator.js';
import { createScriptedModel } from './scripted-model.js';
import { renderSummary } from './summary.js';
import { createTools } from './tools.js';

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());

// The workspace is a folder inside the temporary one: should a guard fail, what is written "outside" is removed as well.
const scratch = await mkdtemp(join(tmpdir(), 'agent-loop-'));
try {
  const workspace = join(scratch, 'workspace');
  await cp(join(import.meta.dirname, '../workspace'), workspace, { recursive: true });
  await runIn(workspace);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
if (interruption.signal.aborted) process.exitCode = 130;

async function runIn(workspace: string): Promise<void> {
  // Finds .llxprt/settings.json of the workspace, and the settings of the user and of the system, as it would in a real project.
  const hooks = await createHooks({ projectDir: workspace, cwd: workspace, sessionId: 'agent-loop-example' });
  for (const diagnostic of hooks.diagnostics) console.error(formatDiagnostic(diagnostic));
  console.log(styleText('bold', 'An agent loop with hooks'));
  console.log(`A scripted model works in ${workspace}, with the hooks that are configured there.\n`);
  const stopReporting = reportToTerminal(hooks.bus, { indent: '       ' });
  const calls: FinishedCall[] = [];
  try {
    await runAgentLoop({
      hooks,
      model: createScriptedModel(),
      tools: createTools(workspace),
      watcher: createNarrator((finished) => calls.push(finished)),
      signal: interruption.signal,
    });
    console.log(`\n${renderSummary(calls)}`);
  } finally {
    stopReporting();
    await hooks.dispose();
  }
}
