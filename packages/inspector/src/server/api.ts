import { maskText } from '@tenterhook/runtime/log';
import { describeThrown } from '@tenterhook/runtime/text';
import type { About, AskBody, RunningAgent } from '../api/messages.js';
import { eventMessages } from '../details/event-details.js';
import type { ShownSource } from '../source/shown-source.js';
import { messagesOf, type Source } from '../source/source.js';
import type { TaskRunner } from '../threads/task-runner.js';
import { readBody, sendJson, sendJsonText, sendProblem } from './answers.js';
import { type AskFiles, answerExplain, answerPreview, askAbout } from './ask.js';
import { sendComparison } from './compare.js';
import { sendExport } from './export.js';
import { sendHookText } from './hook-text.js';
import { type ApiCall, type ApiRoute, sessionPath } from './routes.js';
import type { Runner } from './run.js';
import { RowStream } from './stream.js';

/** What the routes answer from. */
export interface ApiOptions {
  /** The token of the page. */
  readonly token: string;
  readonly shown: ShownSource;
  /** Makes the details of events, and compares recordings. */
  readonly tasks: TaskRunner;
  readonly findAgents: () => Promise<readonly RunningAgent[]>;
  /** Asks the settings files of the project. Undefined if they are not known. */
  readonly files: AskFiles | undefined;
  /** Shows the agent with this process id. Resolves to false if it does not run. Undefined if the agent cannot be changed. */
  readonly attach: ((pid: number) => Promise<boolean>) | undefined;
  /** Runs events. Undefined if the user has not allowed it: the routes then do not exist. */
  readonly runner: Runner | undefined;
}

const eventPath = '/api/events/(\\d{1,15})';
const textPath = 'hooks/(\\d{1,6})/(stdin|stdout|stderr)';

/** The routes of the API. Each needs the token, and each answers only with masked texts. */
export function createApi({ token, shown, tasks, findAgents, files, attach, runner }: ApiOptions): ApiRoute[] {
  const source = () => shown.current;
  const get = (pattern: string, answer: ApiRoute['answer']): ApiRoute => ({ method: 'GET', pattern: new RegExp(`^${pattern}$`), answer });
  const post = (pattern: string, answer: ApiRoute['answer']): ApiRoute => ({ method: 'POST', pattern: new RegExp(`^${pattern}$`), answer });
  return [
    get('/api/stream', ({ response, query }) => {
      const stream = new RowStream(source(), response, {
        after: countOf(query.get('after'), -1),
        revision: countOf(query.get('revision'), Number.MAX_VALUE),
      });
      response.once('close', shown.add(stream));
    }),
    get(eventPath, (call) => sendDetails(source(), tasks, call)),
    get(`${eventPath}/${textPath}`, (call) => sendText(source(), tasks, call)),
    post(sessionPath, ({ response }) => sendJson(response, { token })),
    get('/api/about', async ({ response }) =>
      sendJson(response, { ...(await source().about()), mayRun: runner !== undefined } satisfies About),
    ),
    get('/api/statistics', ({ response }) => sendJson(response, source().index.statistics.hooks(source().texts))),
    get('/api/compare', ({ response, query }) => sendComparison(response, source(), tasks, query)),
    get('/api/agents', async ({ response }) => sendJson(response, source().texts.whole(await findAgents()))),
    post('/api/explain', async ({ request, response }) => {
      const body = askBodyOf(await readBody(request, response), response);
      if (body !== undefined) await answerExplain(response, source(), files, body);
    }),
    post('/api/preview', async ({ request, response }) => {
      const body = askBodyOf(await readBody(request, response), response);
      if (body !== undefined) await answerPreview(response, source(), files, body);
    }),
    post('/api/export', async ({ request, response }) => {
      const body = await readBody(request, response);
      if (body !== undefined) await sendExport(response, source(), body);
    }),
    ...(attach === undefined
      ? []
      : [
          post('/api/attach', async ({ request, response }) => {
            const body = await readBody(request, response);
            if (body !== undefined) await sendAttached(response, attach, body['pid']);
          }),
        ]),
    ...(runner === undefined
      ? []
      : [
          post('/api/run', async ({ request, response }) => {
            const body = await readBody(request, response);
            const event = askBodyOf(body, response);
            if (event !== undefined) await runner.answer(response, source().texts, event, body?.['shown']);
          }),
          get(`/api/run/(\\d{1,15})/${textPath}`, ({ response, words: [n, index, name], query }) => {
            const wanted = { index: Number(index), name: name as string, from: countOf(query.get('from'), 0) };
            runner.sendText(response, source().texts, Number(n), wanted);
          }),
        ]),
  ];
}

async function sendAttached(response: ApiCall['response'], attach: (pid: number) => Promise<boolean>, pid: unknown): Promise<void> {
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) {
    return sendProblem(response, 400, 'invalid_request', 'The body must have "pid", the number of a process.');
  }
  try {
    if (await attach(pid)) return sendJson(response, { pid });
    sendProblem(
      response,
      409,
      'not_found',
      `No agent with the process id ${pid} allows others to attach. The list may be old: ask for it again.`,
    );
  } catch (error) {
    sendProblem(response, 409, 'no_hub', maskText(describeThrown(error)));
  }
}

async function sendDetails(source: Source, tasks: TaskRunner, { response, words: [n] }: ApiCall): Promise<void> {
  const row = source.index.row(Number(n));
  const recorded = row === undefined ? undefined : await messagesOf(source, Number(n));
  if (row === undefined || recorded === undefined) return sendForgotten(response, n);
  const { texts } = source;
  const messages = eventMessages(recorded.messages);
  const wanted = { row, extras: await askAbout(source, messages) };
  const json = await tasks.details({ messages, isMasked: texts.isMasked, wanted }, recorded.bytes, texts);
  sendJsonText(response, json ?? 'null');
}

async function sendText(source: Source, tasks: TaskRunner, { response, words: [n, index, name], query }: ApiCall): Promise<void> {
  const recorded = await messagesOf(source, Number(n));
  const row = source.index.row(Number(n));
  if (row === undefined || recorded === undefined) return sendForgotten(response, n);
  const wanted = { index: Number(index), name: name as string, from: countOf(query.get('from'), 0) };
  const { texts } = source;
  const work = { messages: eventMessages(recorded.messages), isMasked: texts.isMasked, wanted };
  sendHookText(response, await tasks.details(work, recorded.bytes, texts), wanted, `event ${n}`);
}

function sendForgotten(response: ApiCall['response'], n: string | undefined): void {
  sendProblem(response, 404, 'not_found', `There is no event ${n}, or it is no longer kept. The list shows the events that are kept.`);
}

function askBodyOf(body: Readonly<Record<string, unknown>> | undefined, response: ApiCall['response']): AskBody | undefined {
  if (body === undefined) return undefined;
  const { eventName, input, by } = body;
  if (typeof eventName === 'string' && typeof input === 'object' && input !== null && !Array.isArray(input)) {
    return { eventName, input: input as AskBody['input'], ...(by === 'files' ? { by } : {}) };
  }
  const message = 'The body must have "eventName", the name of an event, and "input", an object with its fields.';
  sendProblem(response, 400, 'invalid_request', message);
  return undefined;
}

/** A count in a query. Anything else is the default, because a bookmark must not be an error. */
function countOf(text: string | null, otherwise: number): number {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : otherwise;
}
