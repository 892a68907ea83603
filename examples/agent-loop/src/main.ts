import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { createHookClient } from '@tenterhook/agent';
import { createHooks, formatDiagnostic, reportToTerminal } from 'tenterhook';
import type { Agent } from './agent.js';
import { runSession } from './agent-session.js';
import { createUser } from './ask-user.js';
import { Conversation } from './conversation.js';
import { EventLog } from './event-log.js';
import type { GenerateContentRequest } from './gen-ai-shape.js';
import { renderLeftBehind } from './left-behind.js';
import { createNarrator } from './narrator.js';
import type { Operation } from './operation.js';
import { type Options, readOptions } from './options.js';
import { recordOf } from './run-record.js';
import { prompts } from './script.js';
import { createScriptedModel } from './scripted-model.js';
import { renderSummary } from './summary.js';
import { takeMessages } from './take-messages.js';
import { createTools } from './tools.js';

const options = readOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(options);
  process.exit(64);
}

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
// A reader that has seen enough (`| head`) is no reason to leave the temporary folder behind.
process.stdout.on('error', () => interruption.abort());

// The workspace is a folder inside the temporary one: should a guard fail, what is written "outside" is removed as well.
const scratch = await mkdtemp(join(tmpdir(), 'agent-loop-'));
try {
  const workspace = join(scratch, 'workspace');
  await cp(join(import.meta.dirname, '../workspace'), workspace, { recursive: true });
  await runIn(workspace, options);
} finally {
  await rm(scratch, { recursive: true, force: true });
}
if (interruption.signal.aborted) process.exitCode = 130;

async function runIn(workspace: string, { isAsking, recordFile }: Options): Promise<void> {
  const transcriptFile = join(scratch, 'transcript.jsonl');
  // Finds .llxprt/settings.json of the workspace, and the settings of the user and of the system, as it would in a real project.
  const hooks = await createHooks({
    projectDir: workspace,
    cwd: workspace,
    sessionId: 'agent-loop-example',
    transcriptPath: transcriptFile,
  });
  for (const diagnostic of hooks.diagnostics) console.error(formatDiagnostic(diagnostic));
  console.log(styleText('bold', 'An agent loop with hooks'));
  console.log(`A scripted model works in ${workspace}, with the hooks that are configured there.\n`);

  const stopReporting = reportToTerminal(hooks.bus, { indent: '       ' });
  const log = new EventLog(hooks.bus);
  const client = createHookClient(hooks);
  const user = createUser(client, { isAsking, onMessages: (messages) => takeMessages(agent, messages) });
  const tools = createTools(workspace);
  const operations: Operation[] = [];
  const requests: GenerateContentRequest[] = [];
  const agent: Agent = {
    client,
    model: createScriptedModel((request) => requests.push(request)),
    tools,
    conversation: new Conversation({ transcriptFile, functionDeclarations: tools.map(({ declaration }) => declaration) }),
    ask: user.ask,
    watcher: createNarrator((operation) => operations.push(operation)),
    signal: interruption.signal,
  };
  try {
    await runSession(agent, prompts);
    if (!interruption.signal.aborted) {
      console.log(`\n${renderSummary(operations, log.events)}\n\n${renderLeftBehind(workspace)}\n`);
    }
    if (recordFile !== undefined) await writeFile(recordFile, JSON.stringify(recordOf(log.events, operations, requests), null, 2));
  } finally {
    user.close();
    log.stop();
    stopReporting();
    await hooks.dispose();
  }
}
