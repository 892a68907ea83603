import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { type Agent, type AggregatedHookResult, createHooks, type EventRecord, formatDiagnostic, reportToTerminal } from 'tenterhook';
import { runSession } from './agent-session.js';
import { askForTrust } from './ask-for-trust.js';
import { createUser } from './ask-user.js';
import { Conversation } from './conversation.js';
import type { FiredEvent } from './event-table.js';
import type { GenerateContentRequest } from './gen-ai-shape.js';
import { renderLeftBehind } from './left-behind.js';
import { type Loop, takeMessages } from './loop.js';
import { createNarrator } from './narrator.js';
import type { Operation } from './operation.js';
import { type Options, readOptions } from './options.js';
import { recordOf } from './run-record.js';
import { createScriptedModel } from './scripted-model.js';
import type { Story } from './story.js';
import { renderSummary } from './summary.js';
import { startTelemetry } from './telemetry.js';
import { createTools } from './tools.js';

/** Runs a story on a copy of its workspace, with the arguments of a program. Removes the copy unless `--keep` is given. */
export async function runStory(story: Story, args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (typeof options === 'string') {
    console.error(options);
    process.exitCode = 64;
    return;
  }

  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());
  // If the reader closes the pipe (`| head`), the run ends properly, so that the temporary folder is removed.
  process.stdout.on('error', () => interruption.abort());

  // The workspace is a folder inside the temporary folder. If a guard fails, files that are written "outside" the workspace are
  // removed too.
  const scratch = await folderFor(options);
  try {
    // Existing files of a kept folder stay unchanged.
    await cp(story.workspace, join(scratch, 'workspace'), { recursive: true, force: false });
    await runIn(scratch, story, options, interruption.signal);
  } finally {
    if (options.keptFolder === undefined) await rm(scratch, { recursive: true, force: true });
  }
  if (interruption.signal.aborted) process.exitCode = 130;
}

async function folderFor({ keptFolder }: Options): Promise<string> {
  if (keptFolder === undefined) return mkdtemp(join(tmpdir(), 'agent-loop-'));
  await mkdir(keptFolder, { recursive: true });
  return resolve(keptFolder);
}

async function runIn(scratch: string, story: Story, options: Options, signal: AbortSignal): Promise<void> {
  const { isAsking, recordFile, telemetryUrl } = options;
  const workspace = join(scratch, 'workspace');
  const transcriptFile = join(scratch, 'transcript.jsonl');
  // Without `settings`, the settings of the workspace, the user and the system are found, in the format of any agent, as in a real
  // project.
  const telemetry = telemetryUrl === undefined ? undefined : startTelemetry(telemetryUrl);
  const hooks = await createHooks({
    projectDir: workspace,
    ...(telemetry === undefined ? {} : { tracing: telemetry.tracing }),
    ...(story.settings === undefined ? {} : { settings: story.settings.map((file) => join(workspace, file)) }),
    // An agent leaves out `directory`, so that the decisions are kept with those of its user. This workspace is only a copy.
    trust: { mode: 'store', directory: join(scratch, 'decisions') },
    advanced: { transcriptPath: transcriptFile },
  });
  // Notes are not shown, because they only suggest a better way to write settings.
  for (const diagnostic of hooks.diagnostics) if (diagnostic.severity !== 'note') console.error(formatDiagnostic(diagnostic));
  console.log(styleText('bold', story.title));
  console.log(`A scripted model works in ${workspace}, with the hooks that are configured there.\n`);

  const stopReporting = reportToTerminal(hooks.bus, { indent: '       ' });
  const events: FiredEvent[] = [];
  const allEvents = new Promise<void>((complete) => {
    const next = ({ request, response }: EventRecord) => {
      if (request !== undefined && response?.output !== undefined)
        events.push({ eventName: request.eventName, result: response.output as AggregatedHookResult });
    };
    hooks.events$.subscribe({ next, complete });
  });
  const agent: Agent = hooks.agent({ sessionId: story.sessionId, ask: (question, options) => user.ask(question, options), signal });
  const user = createUser({ agent, isAsking, onMessages: (messages) => takeMessages(loop, messages) });
  const tools = createTools(workspace);
  const operations: Operation[] = [];
  const requests: GenerateContentRequest[] = [];
  const loop: Loop = {
    agent,
    model: createScriptedModel(story, (request) => requests.push(request)),
    tools,
    conversation: new Conversation({ transcriptFile, functionDeclarations: tools.map(({ declaration }) => declaration) }),
    watcher: createNarrator((operation) => operations.push(operation)),
  };
  try {
    await askForTrust(hooks, isAsking, user.confirm, console.log);
    await runSession(loop, story.prompts);
  } finally {
    user.close();
    stopReporting();
    await hooks.dispose();
    // The last spans end with the hooks.
    await telemetry?.stop();
  }
  // The last records come after dispose(): those of events whose background hooks were still running.
  await allEvents;
  if (!signal.aborted) {
    console.log(`\n${renderSummary(operations, events)}\n\n${renderLeftBehind(workspace, story.leavesBehind)}\n`);
  }
  if (recordFile !== undefined) await writeFile(recordFile, JSON.stringify(recordOf(events, operations, requests), null, 2));
}
