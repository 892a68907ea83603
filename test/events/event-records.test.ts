import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToSocket, createHooks, type EventRecord, listenOnSocket, MessageBus } from 'tenterhook';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'event-records-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const tool = { tool_name: 'read_file', tool_input: { path: 'a.txt' } };

/** The kinds of a record's progress, with the names of its hooks. */
const steps = ({ progress }: EventRecord) =>
  progress.map((step) => ('hookId' in step ? `${step.kind} ${step.hookId.split('/').at(-1)}` : step.kind));

test('hooks.events$ emits an event with its hooks, and one with a background hook after that hook has ended', async () => {
  const background = { type: 'command', command: 'until [ -e go ]; do sleep 0.02; done; echo late', async: true };
  const settings = {
    hooks: {
      PreToolUse: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }],
      PostToolUse: [{ hooks: [background] }],
    },
  };
  const hooks = await createHooks({ settings, projectDir: directory, dialect: 'claude-code' });
  const records = hooks.events$.values();
  const result = await hooks.fire('AfterTool', { ...tool, tool_response: { llmContent: 'text' } });
  await hooks.fire('BeforeTool', tool);

  const { value: denied } = await records.next();
  expect(denied).toMatchObject({ isComplete: true, lateEnds: [], response: { output: { verdict: { kind: 'deny' } } } });
  expect(denied?.request).toMatchObject({ eventName: 'BeforeTool', input: tool });
  expect(denied && steps(denied)).toEqual(['planned', 'hook-started 0.0', 'hook-finished 0.0']);

  writeFileSync(join(directory, 'go'), '');
  const { value: late } = await records.next();
  expect(result.outcomes[0]?.status).toBe('detached');
  expect(late).toMatchObject({ isComplete: true, request: { eventName: 'AfterTool' } });
  expect(late?.lateEnds).toMatchObject([{ kind: 'hook-finished', late: true, outcome: { status: 'succeeded', stdout: 'late\n' } }]);

  await hooks.dispose();
  expect(await records.next()).toEqual({ done: true, value: undefined });
});

test('a client on a socket receives the events that an agent fires in another connection', async () => {
  const path = join(directory, 'bus.sock');
  const hub = await listenOnSocket({ path });
  const hooks = await createHooks({
    settings: { hooks: { BeforeTool: [{ hooks: [{ command: 'true' }] }] } },
    projectDir: directory,
    bus: new MessageBus({ transport: hub }),
  });
  const transport = await connectToSocket({ path });
  const observer = await createHooks({ settings: {}, projectDir: directory, bus: new MessageBus({ transport }) });
  const records = observer.events$.values();
  expect(await observer.bus.flush()).toBe(true);
  await hooks.fire('BeforeTool', tool);
  expect((await records.next()).value).toMatchObject({ isComplete: true, request: { eventName: 'BeforeTool' } });
  await observer.dispose();
  await hooks.dispose();
  await transport.close();
  await hub.close();
  expect(await observer.bus.flush()).toBe(false);
});
