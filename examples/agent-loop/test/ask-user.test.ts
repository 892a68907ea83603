import { PassThrough, Readable } from 'node:stream';
import { MessageBus } from 'tenterhook';
import { type Ask, createAgent } from 'tenterhook/agent';
import { createUser } from '../src/ask-user.js';

const question = { eventName: 'BeforeTool', subject: 'rm', input: {}, reason: 'It is\x1b[2J gone then.', by: ['guard'] } as const;
const bus = new MessageBus();
const agent = createAgent(bus);
const { signal } = new AbortController();

afterAll(() => bus.close());

async function answers(input: string, questions: number): Promise<{ given: Awaited<ReturnType<Ask>>[]; shown: string }> {
  const output = new PassThrough();
  const user = createUser({ agent, isAsking: true, onMessages: () => {}, input: Readable.from(input === '' ? [] : [input]), output });
  const given: Awaited<ReturnType<Ask>>[] = [];
  for (let asked = 0; asked < questions; asked += 1) given.push(await user.ask(question, { signal }));
  user.close();
  return { given, shown: String(output.read()) };
}

test('a line of the input is an answer, and each question takes one', async () => {
  expect((await answers('y\nno\nYES\n', 3)).given).toEqual(['allow', 'deny', 'allow']);
});

test('any line but yes is a no, and so is a missing line', async () => {
  expect((await answers('yesterday\n\n', 3)).given).toEqual(['deny', 'deny', 'deny']);
  const { given, shown } = await answers('', 1);
  expect(given).toEqual(['deny']);
  expect(shown).toBe('ask    May rm go ahead? It is\\x1b[2J gone then. [y/N] no answer\n');
});

test('the user is asked only with isAsking, and hooks of Notification run in either case', async () => {
  const notified: unknown[] = [];
  const unsubscribe = bus.subscribe('HOOK_EXECUTION_REQUEST', ({ payload }) => notified.push(payload));
  const user = createUser({ agent, isAsking: false, onMessages: () => {}, input: Readable.from(['y\n']) });
  expect(await user.ask(question, { signal })).toBeUndefined();
  unsubscribe();
  const message = 'May rm go ahead? It is\x1b[2J gone then.';
  expect(notified).toMatchObject([{ eventName: 'Notification', input: { notification_type: 'ToolPermission', message } }]);
});
