import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { example, Place, type StartOptions } from './example-run.js';

interface Decision {
  readonly event: string;
  readonly verdict: string;
  readonly stop: boolean;
  readonly by: string[];
  readonly changes: string[];
  readonly hooks: Record<string, string>;
}

interface Operation {
  readonly kind: string;
  readonly subject: string;
  readonly status: string;
  readonly reason?: string;
}

interface Recorded {
  readonly decisions: Decision[];
  readonly operations: Operation[];
  readonly requests: { readonly config: { readonly systemInstruction: string; readonly tools: unknown } }[];
}

/** In milliseconds. The whole story runs here more than once, possibly on a busy machine. */
const patienceMs = 120_000;
// On Windows, Python cannot open a pseudo terminal.
const hasTerminals = process.platform !== 'win32';

let piped: Recorded;
let onTerminal: Recorded;

async function record(args: readonly string[], options: StartOptions): Promise<Recorded> {
  const place = new Place();
  try {
    const file = join(place.folder, 'record.json');
    const { status, stdout, stderr } = await place.start([example, '--record', file, ...args], options).ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // Colours only on a terminal show that the program knows where its output goes.
    expect(stdout.includes('\x1b[')).toBe(options.onPseudoTerminal === true);
    const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
    rmSync(file);
    expect(place.leftovers()).toEqual([]);
    return recorded;
  } finally {
    place.remove();
  }
}

function onBoth(args: readonly string[], options: StartOptions): Promise<Recorded[]> {
  return Promise.all([false, hasTerminals].map((onPseudoTerminal) => record(args, { ...options, onPseudoTerminal })));
}

const id = (event: string, name: string) => `llxprt/settings/${event}/${name}`;
const operation = (subject: string, from = piped) => from.operations.filter((each) => each.subject === subject);

beforeAll(async () => {
  [piped, onTerminal] = (await onBoth([], {})) as [Recorded, Recorded];
}, patienceMs);

test('a run on a terminal decides what a piped one decides', () => {
  expect(onTerminal.decisions).toEqual(piped.decisions);
  expect(onTerminal.operations).toEqual(piped.operations);
  expect(onTerminal.requests).toEqual(piped.requests);
});

test('hooks run on all eleven events', () => {
  const withHooks = piped.decisions.filter(({ hooks }) => Object.values(hooks).some((status) => ['succeeded', 'blocked'].includes(status)));
  expect([...new Set(withHooks.map(({ event }) => event))].sort()).toEqual([
    'AfterAgent',
    'AfterModel',
    'AfterTool',
    'BeforeAgent',
    'BeforeModel',
    'BeforeTool',
    'BeforeToolSelection',
    'Notification',
    'PreCompress',
    'SessionEnd',
    'SessionStart',
  ]);
  expect(piped.decisions[0]?.event).toBe('SessionStart');
  expect(piped.decisions.at(-1)?.event).toBe('SessionEnd');
});

test('each kind of decision is made, by the hook that is meant to make it', () => {
  const made = piped.decisions.filter(({ verdict, stop }) => verdict !== 'none' || stop);
  expect(made.map(({ event, verdict, stop, by }) => [event, verdict, stop, ...by])).toEqual([
    ['BeforeTool', 'deny', false, id('BeforeTool', 'stay-inside')],
    ['BeforeTool', 'ask', false, id('BeforeTool', 'lint-command')],
    ['AfterAgent', 'deny', false, id('AfterAgent', 'say-where')],
    ['BeforeModel', 'none', true, id('BeforeModel', 'budget')],
  ]);
  expect([...new Set(piped.decisions.flatMap(({ changes }) => changes))].sort()).toEqual([
    'llm_request.messages',
    'llm_response.candidates',
    'llm_response.text',
    'toolConfig.allowedFunctionNames',
    'toolConfig.mode',
    'tool_input.content',
  ]);
});

test('the agent does what was decided', () => {
  expect(operation('write_file ../notes-copy.md')).toMatchObject([{ status: 'blocked', reason: expect.stringContaining('is outside') }]);
  expect(operation('run_shell_command rm -rf notes.md')).toMatchObject([{ status: 'blocked' }]);
  // The call is made once before the file FREEZE exists and once after. The refusal names the hook of the tool selection; no hook of
  // BeforeTool was asked.
  expect(operation('write_file notes.md')).toMatchObject([
    { status: 'executed' },
    { status: 'blocked', reason: expect.stringContaining(id('BeforeToolSelection', 'freeze')) },
  ]);
  const prompts = piped.operations.filter(({ kind }) => kind === 'prompt');
  expect(prompts.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'stopped']);
});

test('the model is called as often as hooks let it, and is sent what they leave', () => {
  const calls = piped.operations.filter(({ kind }) => kind === 'model').map(({ status }) => status);
  expect(calls.filter((status) => status !== 'responded')).toEqual(['synthetic', 'stopped']);
  expect(piped.requests).toHaveLength(calls.filter((status) => status === 'responded').length);

  const sent = piped.requests.map((request) => JSON.stringify(request));
  expect(sent.filter((text) => text.includes('sk-live'))).toEqual([]);
  expect(sent[0]).toContain('My key is [REDACTED], should you need it.');
  // The conversation receives messages of SessionStart, the context of BeforeAgent and AfterTool as a block each, and messages next to a
  // tool's result.
  expect(piped.requests[0]?.config.systemInstruction).toContain('Secrets come from the environment.');
  expect(sent[0]).toContain(String.raw`<hook_context>\nFiles of the project: README.md.\n</hook_context>`);
  expect(sent[1]).toContain(String.raw`<hook_context>\nnotes.md has 2 lines on disk.\n</hook_context>`);
  expect(sent[1]).toContain('cat is not needed here');
  // Once the file FREEZE exists, the model is offered one tool.
  expect(piped.requests.map(({ config }) => JSON.stringify(config.tools).match(/"name":"\w+"/g)?.length)).toEqual([4, 4, 4, 4, 4, 4, 1, 1]);
});

test(
  'with --ask the answer decides, typed or piped',
  async () => {
    const [pipedYes, typedYes] = (await onBoth(['--ask'], { input: 'y\n' })) as [Recorded, Recorded];
    expect(operation('run_shell_command rm -rf notes.md', pipedYes)).toMatchObject([{ status: 'executed' }]);
    expect(typedYes).toEqual(pipedYes);
  },
  patienceMs,
);
