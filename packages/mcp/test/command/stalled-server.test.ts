import { PassThrough, Writable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { createHookClient, createHooks, type Hooks } from 'tenterhook';
import { Report } from '../../src/command/report.js';
import { StdioLink } from '../../src/command/stdio-link.js';

let hooks: Hooks;
afterEach(() => hooks.dispose());

/** A link whose server reads nothing before the test calls `read`. */
async function open() {
  hooks = await createHooks({ settings: {} });
  const [fromClient, toClient, fromServer] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const unread: (() => void)[] = [];
  let isReading = false;
  const toServer = new Writable({
    write(_chunk, _encoding, done) {
      if (isReading) done();
      else unread.push(done);
    },
  });
  const read = () => {
    isReading = true;
    for (const done of unread.splice(0)) done();
  };
  const options = { source: createHookClient(hooks), server: 'files', hasSession: false };
  const { clientEnded } = new StdioLink({ fromClient, toClient, fromServer, toServer }, options, new Report('files'), 1);
  const answers = toClient.setEncoding('utf8')[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await answers.next()).value as string) as Record<string, unknown>;
  return { fromClient, toServer, read, next, clientEnded };
}

const request = (id: number, text = '') => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { text } })}\n`;
const tooMuch = [1, 2, 3, 4].map((id) => request(id, 'x'.repeat(30_000_000))).join('');

test('M12 the end of a client is noticed although its server reads nothing', async () => {
  const { fromClient, clientEnded } = await open();
  fromClient.end(tooMuch);
  await clientEnded;
});

test('what a client writes for a server that reads nothing is refused, and passes when the server reads again', async () => {
  const { fromClient, toServer, read, next } = await open();
  fromClient.write(tooMuch);
  fromClient.write(request(5));
  const refused = { error: { code: -32600, message: 'The message cannot be passed on: The MCP server reads nothing.' } };
  expect(await next()).toMatchObject({ id: 5, ...refused });
  // Neither an answer for the server nor a notification can be refused.
  fromClient.write('{"jsonrpc":"2.0","id":7,"result":{}}\n{"jsonrpc":"2.0","method":"notifications/progress"}\n');
  fromClient.write(request(8));
  expect(await next()).toMatchObject({ id: 8, ...refused });
  const drained = new Promise((resolve) => toServer.once('drain', resolve));
  read();
  await drained;
  const received = new Promise<string>((resolve) => {
    toServer._write = (chunk: Buffer, _encoding, done) => {
      done();
      resolve(String(chunk));
    };
  });
  fromClient.write(request(9));
  expect(await received).toBe(request(9));
});
