import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageBus } from '@tenterhook/bus';
import {
  type MatchedRequest,
  type Recording,
  type RecordOptions,
  readRecording,
  recordBus,
  replayResponses,
  writeMinimal,
} from '../../src/index.js';
import { fireTool, inDirectory, outcomeOf, resultOf, servedBus, watch } from '../recording-rig.js';

const roots = { home: undefined, tmp: undefined };
const verdictBy = (reason: string) => ({ verdict: { kind: 'deny' as const, stop: false, reason, by: ['h'], stoppedBy: [] } });

/** A recording of tool calls whose hooks deny with the number of the call. */
async function record(inputs: readonly Record<string, unknown>[], options: RecordOptions = {}): Promise<Recording> {
  let count = 0;
  const bus = servedBus(() => {
    count += 1;
    return resultOf([outcomeOf('h')], verdictBy(String(count)));
  });
  const recorder = recordBus(bus, { roots, ...options });
  for (const input of inputs) await fireTool(bus, input, String(input['tool'] ?? 'write_file'));
  await recorder.close();
  await bus.close();
  return recorder.recording();
}

const reasonOf = ({ output, error }: Awaited<ReturnType<typeof fireTool>>) => output?.verdict.reason ?? error?.code;

test('record-replay case 29: `input` uses equal requests in recorded order, each once, and misses another input', async () => {
  const bus = new MessageBus();
  const replay = replayResponses(bus, await record([{ a: 1 }, { a: 2 }, { a: 1 }]), { roots });
  const reasons = [];
  for (const a of [2, 1, 1, 1, 3]) reasons.push(reasonOf(await fireTool(bus, { a })));
  expect(reasons).toEqual(['2', '1', '3', 'not_recorded', 'not_recorded']);
  expect(replay.unused()).toEqual([]);
  expect(replay.misses.map(({ message }) => message)).toEqual([
    'BeforeTool write_file is not in the recording. #1 BeforeTool (line 2) has this input, and was used already.',
    expect.stringMatching(
      /^BeforeTool write_file is not in the recording\. The nearest one is #1 BeforeTool \(line 2\): input\.tool_input\.a is 3, and was 1\.$/,
    ),
  ]);
  await expect(replay.close()).rejects.toMatchObject({ code: 'not_recorded' });
  // Nothing answers any more.
  expect(reasonOf(await fireTool(bus, { a: 1 }))).toBe('no_responders');
});

test('record-replay case 29: `order` also refuses a request that comes too early, and then accepts the right one', async () => {
  const bus = new MessageBus();
  const replay = replayResponses(bus, await record([{ a: 1 }, { a: 2 }]), { roots, match: 'order' });
  const reasons = [];
  for (const a of [2, 1, 2]) reasons.push(reasonOf(await fireTool(bus, { a })));
  expect(reasons).toEqual(['not_recorded', '1', '2']);
  expect(replay.misses[0]?.nearest).toMatchObject({ ordinal: 1, differences: [{ path: 'input.tool_input.a', recorded: 1, now: 2 }] });
});

test('record-replay case 29: `subject` ignores the input but not the tool', async () => {
  const bus = new MessageBus();
  replayResponses(
    bus,
    await record([
      { tool: 'read', a: 1 },
      { tool: 'write', a: 2 },
    ]),
    { roots, match: 'subject' },
  );
  expect(reasonOf(await fireTool(bus, { any: true }, 'write'))).toBe('2');
  expect(reasonOf(await fireTool(bus, { any: true }, 'read'))).toBe('1');
  expect(reasonOf(await fireTool(bus, { any: true }, 'list'))).toBe('not_recorded');
});

test('record-replay case 29: `correlation` compares the ids, and a function its own keys', async () => {
  const recording = await record([{ a: 1 }, { a: 2 }]);
  const [bus, other] = [new MessageBus(), new MessageBus()];
  replayResponses(bus, recording, { roots, match: 'correlation' });
  const ask = (correlationId: string) =>
    bus.request('HOOK_EXECUTION_REQUEST', { correlationId, eventName: 'BeforeTool', input: { tool_name: 'x', tool_input: {} } });
  expect(reasonOf(await ask(recording.exchanges[1]?.correlationId as string))).toBe('2');
  expect(reasonOf(await ask('another'))).toBe('not_recorded');
  replayResponses(other, recording, { roots, match: ({ input }) => String((input['tool_input'] as { a: number }).a % 2) });
  expect(reasonOf(await fireTool(other, { a: 8 }))).toBe('2');
  expect(reasonOf(await fireTool(other, { a: 8 }))).toBe('not_recorded');
  expect(() => replayResponses(other, recording, { match: 'inptu' as never })).toThrow('match must be one of input, order');
});

test.each(['match', 'normalise'] as const)('a request for which `%s` throws is denied, and is a miss', async (name) => {
  const bus = new MessageBus();
  const throwing = (value: unknown) => {
    if (JSON.stringify(value)?.includes('bad')) throw new Error('a bug of the test');
    return value;
  };
  const options = name === 'match' ? { match: ({ input }: MatchedRequest) => JSON.stringify(throwing(input)) } : { normalise: throwing };
  const replay = replayResponses(bus, await record([{ a: 'good' }]), { roots, ...options });
  const response = await fireTool(bus, { a: 'bad' });
  expect(response).toMatchObject({ success: false, error: { code: 'not_recorded', details: { verdict: { kind: 'deny' } } } });
  expect(reasonOf(await fireTool(bus, { a: 'good' }))).toBe('1');
  expect(replay.misses.map(({ message }) => message)).toEqual([
    'BeforeTool write_file cannot be matched, because match or normalise threw: a bug of the test.',
  ]);
  await expect(replay.close()).rejects.toMatchObject({ code: 'not_recorded' });
});

test.each<[options: object, message: string]>([
  [{ onMiss: 'allow' }, 'replayResponses has no option "onMiss". Its options are roots, secrets, '],
  [{ normalize: () => 1 }, 'replayResponses has no option "normalize". Did you mean "normalise"?'],
  [{ ignore: 'input.a' }, 'ignore must be a list of paths, and is '],
  [{ normalise: 'a' }, 'normalise must be a function, and is '],
])('wrong options %j are refused', async (options, message) => {
  const bus = new MessageBus();
  const recording = await record([{ a: 1 }]);
  expect(() => replayResponses(bus, recording, options)).toThrow(message);
  expect(bus.listenerCount('HOOK_EXECUTION_REQUEST')).toBe(0);
});

test('`repeat: last` answers again with the last fitting exchange', async () => {
  const bus = new MessageBus();
  const replay = replayResponses(bus, await record([{ a: 1 }, { a: 1 }]), { roots, repeat: 'last' });
  const reasons = [];
  for (let call = 0; call < 4; call += 1) reasons.push(reasonOf(await fireTool(bus, { a: 1 })));
  expect(reasons).toEqual(['1', '2', '2', '2']);
  await replay.close();
});

test('record-replay case 16: a key that was masked matches, and a secret is filled in', async () => {
  const key = `sk-${'proj-'}hunter2hunter2hunter2`;
  const password = 'correct horse battery';
  const recording = await record([{ text: `uses ${key}`, password: `${password}` }], { secrets: { PASSWORD: password } });
  expect(JSON.stringify(recording)).not.toMatch(/hunter2|battery/);
  const bus = new MessageBus();
  const replay = replayResponses(bus, recording, { roots, secrets: { PASSWORD: password } });
  expect(reasonOf(await fireTool(bus, { text: `uses ${key}`, password }))).toBe('1');
  await replay.close();
});

test('record-replay case 31: exchanges that are left over fail at the end, and are named', async () => {
  const bus = new MessageBus();
  const replay = replayResponses(bus, await record([{ a: 1 }, { a: 2 }]), { roots });
  await fireTool(bus, { a: 1 });
  expect(replay.unused()).toEqual([{ ordinal: 2, eventName: 'BeforeTool', subject: 'write_file', line: expect.any(Number) }]);
  await expect(replay.close()).rejects.toMatchObject({
    code: 'unused_recording',
    message: expect.stringMatching(/^1 request of the recording was not made: #2 BeforeTool write_file \(line \d+\)\. Record again/),
  });
});

test('record-replay case 32: an event without hooks is answered at once and is not a miss', async () => {
  const bus = new MessageBus();
  const replay = replayResponses(bus, await record([], { about: { events: ['AfterTool'] } }), { roots });
  expect([replay.has('BeforeTool'), replay.client.has('AfterTool')]).toEqual([false, true]);
  expect((await fireTool(bus)).output).toMatchObject({ success: true, verdict: { kind: 'none' }, outcomes: [] });
  const unknown = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'BeforTool' as string, input: {} });
  expect(unknown.error?.code).toBe('not_recorded');
  const hooked = await bus.request('HOOK_EXECUTION_REQUEST', { eventName: 'AfterTool' as string, input: {} });
  expect(hooked.error?.details).toMatchObject({ verdict: { kind: 'deny', reason: expect.stringContaining('not in the recording') } });
  expect(replay.misses.map(({ eventName }) => eventName)).toEqual(['BeforTool', 'AfterTool']);
});

test('record-replay case 33: progress comes before the response, and late ends of asynchronous hooks after it', async () => {
  const bus = new MessageBus();
  const recorder = recordBus(bus, { roots });
  bus.respond('HOOK_EXECUTION_REQUEST', (_payload, { progress }) => {
    const step = { eventName: 'BeforeTool', elapsedMs: 1, hookId: 'h' };
    progress({ ...step, kind: 'hook-started', timeoutMs: 1 });
    setImmediate(() => progress({ ...step, kind: 'hook-finished', late: true, outcome: outcomeOf('h') }));
    return { success: true, output: resultOf([outcomeOf('h', { status: 'detached' })]) as never };
  });
  await fireTool(bus);
  await new Promise((resolve) => setImmediate(resolve));
  const recording = await recorder.recording();
  await bus.close();

  const live = new MessageBus();
  const seen = watch(live);
  const late = new Promise<void>((resolve) => {
    live.subscribe('HOOK_EXECUTION_PROGRESS', ({ payload }) => payload.kind === 'hook-finished' && resolve());
  });
  const replay = replayResponses(live, recording, { roots, pace: 0 });
  const { correlationId } = await fireTool(live);
  await late;
  expect(seen.map(({ type, payload }) => [type, (payload as { kind?: string }).kind])).toEqual([
    ['HOOK_EXECUTION_REQUEST', undefined],
    ['HOOK_EXECUTION_PROGRESS', 'hook-started'],
    ['HOOK_EXECUTION_RESPONSE', undefined],
    ['HOOK_EXECUTION_PROGRESS', 'hook-finished'],
  ]);
  expect(new Set(seen.map(({ payload }) => (payload as { correlationId: string }).correlationId))).toEqual(new Set([correlationId]));
  await replay.close();
});

test('a recording without its values is refused', async () => {
  const project = '/srv/somewhere';
  const bus = servedBus(() => resultOf([outcomeOf('h', { output: { reason: `see ${project}/x` } })]));
  const recorder = recordBus(bus, { roots: { ...roots, project } });
  await fireTool(bus);
  const recording = await recorder.recording();
  expect(() => replayResponses(new MessageBus(), recording)).toThrow(expect.objectContaining({ code: 'missing_root' }));
  const live = new MessageBus();
  replayResponses(live, recording, { roots: { ...roots, project: '/srv/elsewhere' } });
  expect((await fireTool(live)).output?.outcomes[0]?.output?.reason).toBe('see /srv/elsewhere/x');
});

test('an answer that was shortened where an agent uses it is not given: the request is denied and named', async () => {
  const bus = servedBus((input) =>
    resultOf([outcomeOf('h', { stdout: 'x'.repeat(9_000) })], {
      finalOutput:
        input['tool_name'] === 'write_file' ? ({ hookSpecificOutput: { tool_input: { content: 'y'.repeat(9_000) } } } as never) : undefined,
    }),
  );
  const recorder = recordBus(bus, { roots, maxLineBytes: 4_096 });
  await fireTool(bus, { a: 1 });
  await fireTool(bus, { a: 1 }, 'read_file');
  const recording = await recorder.recording();
  expect(recording.exchanges.map(({ response }) => response?.cut)).toEqual([
    ['output.outcomes.0.stdout', 'output.finalOutput.hookSpecificOutput.tool_input.content'],
    ['output.outcomes.0.stdout'],
  ]);
  const live = new MessageBus();
  const replay = replayResponses(live, recording, { roots });
  const { error } = await fireTool(live, { a: 1 });
  expect(error).toMatchObject({ code: 'not_recorded', details: { verdict: { kind: 'deny' } } });
  expect(error?.message).toMatch(
    /^BeforeTool write_file has no whole answer: output\.finalOutput\.hookSpecificOutput\.tool_input\.content of #1 \(line \d+\) was shortened\./,
  );
  // What only people read may be shortened.
  expect((await fireTool(live, { a: 1 }, 'read_file')).success).toBe(true);
  await expect(replay.close()).rejects.toMatchObject({ code: 'not_recorded', message: expect.stringContaining('was shortened') });
});

test('a file that was damaged does not answer, because it may have two answers to one request', () =>
  inDirectory(async (directory) => {
    const file = join(directory, 'x.bus.jsonl');
    await writeMinimal(file, await record([{ a: 1 }]));
    const [header, request, response] = readFileSync(file, 'utf8').split('\n') as [string, string, string];
    const ours = response.replace('"kind":"deny"', '"kind":"none"');
    writeFileSync(file, [header, request, '<<<<<<< ours', ours, '=======', response, '>>>>>>> theirs', ''].join('\n'));
    const recording = await readRecording(file);
    expect(() => replayResponses(new MessageBus(), recording, { roots })).toThrow(
      expect.objectContaining({ code: 'damaged', message: expect.stringContaining(`${file}:3: the line is not valid JSON`) }),
    );
  }));
