import { eventMessages } from '../../src/details/event-details.js';
import { ShownTexts } from '../../src/store/shown-texts.js';
import { TaskRunner } from '../../src/threads/task-runner.js';
import { eventLines, inspecting, messageLine } from '../inspector-rig.js';

const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';
/** Every line has a secret at its end, so that no piece of the text is without work. */
const large = `${'x'.repeat(80)} ${secret}\n`.repeat(50_000);
const request = { correlationId: 'x', eventName: 'BeforeTool', input: { tool_name: 'a' } };
const outcome = (hookId: string) => ({ hookId, dialect: 'llxprt', status: 'succeeded', stdout: large, warnings: [] });
const response = { correlationId: 'x', success: true, output: { outcomes: [outcome('a')], verdict: { kind: 'none' } } };
const finished = (hookId: string) => ({ correlationId: 'x', kind: 'hook-finished', hookId, outcome: outcome(hookId) });

test('the details of an event of 30 MB are masked in a thread, and the server answers meanwhile', async () => {
  const messages = eventMessages([
    { line: 1, type: 'HOOK_EXECUTION_REQUEST', payload: request },
    ...['a', 'b', 'c', 'd'].map((hookId) => ({ line: 2, type: 'HOOK_EXECUTION_PROGRESS', payload: finished(hookId) })),
    { line: 6, type: 'HOOK_EXECUTION_RESPONSE', payload: response },
  ]);
  const worker = new TaskRunner();
  const texts = new ShownTexts(true);
  const work = { messages, isMasked: true, wanted: { index: 0, name: 'stdout', from: 100 } };
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const bytes = (await worker.details(work, 30e6, texts)) as Uint8Array;
  isDone = true;
  await worker.close();
  // The loop of events has turned. Work in it would have kept it from turning even twice.
  expect(turns).toBeGreaterThan(10);
  const piece = JSON.parse(new TextDecoder().decode(bytes));
  expect(piece).toEqual(JSON.parse((await new TaskRunner().details(work, 0, texts)) as string));
  expect(piece.text).toContain('***');
  expect(piece.text).not.toContain(secret);
});

test('work that waits for a thread fails when the inspector is closed', async () => {
  const worker = new TaskRunner();
  const work = { messages: eventMessages([]), isMasked: true, wanted: { index: 0, name: 'stdout', from: 0 } };
  await worker.close();
  await expect(worker.details(work, 30e6, new ShownTexts(true))).rejects.toThrow('closing');
});

test('the page gets the details of an event of many megabytes, masked and cut', async () => {
  const lines = [
    messageLine(1, 'HOOK_EXECUTION_REQUEST', request),
    ...['a', 'b', 'c'].map((hookId, index) => messageLine(index + 2, 'HOOK_EXECUTION_PROGRESS', finished(hookId))),
    messageLine(9, 'HOOK_EXECUTION_RESPONSE', response),
  ];
  await inspecting(lines, async (inspector) => {
    const [details, statistics] = await Promise.all([inspector.get('/api/events/0'), inspector.get('/api/statistics')]);
    expect([details.status, statistics.status]).toEqual([200, 200]);
    const text = await details.text();
    expect(text).not.toContain(secret);
    expect(JSON.parse(text).hooks[0].stdout).toMatchObject({ isWhole: false, bytes: expect.any(Number) });
    const missing = await inspector.get('/api/events/0/hooks/7/stdout');
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('The hook 7 of event 0 has no stdout.')]);
  });
});

test('a value that is nested too deeply is shown down to 500 levels, with a sentence', async () => {
  const deep = `${'{"a":['.repeat(5_000)}"core"${']}'.repeat(5_000)}`;
  const [first = '', ...rest] = eventLines(0, { id: 'x', input: { tool_name: 'deep' } });
  const line = first.replace('"tool_name":"deep"', `"tool_name":"deep","tool_input":${deep}`);
  expect(line).toContain(deep);
  await inspecting([line, ...rest], async (inspector) => {
    const { request: shown } = (await inspector.json('/api/events/0')) as { request: { input: Record<string, unknown> } };
    expect(shown.input['tool_name']).toBe('deep');
    const text = JSON.stringify(shown);
    expect(text).toContain('… What is nested deeper than 500 levels is not shown.');
    expect(text.split('{"a":[').length - 1).toBeGreaterThan(200);
    expect(text).not.toContain('core');
  });
});
