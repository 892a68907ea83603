import type { ServerResponse } from 'node:http';
import { isHookEventName } from '@tenterhook/protocol';
import type { AskBody, ExplainAnswer } from '../api/messages.js';
import type { DetailsExtras, EventMessages } from '../details/event-details.js';
import { isUnanswered, type Source, type Unanswered } from '../source/source.js';
import { type Fields, fieldsOf, listOf, numberOf, resultOfResponse, textOf } from '../store/fields.js';
import { sendJson, sendProblem } from './answers.js';
import { markOfCommands } from './shown-commands.js';

/** Asks the settings files of a project as they are now. Runs nothing. */
export type AskFiles = (query: 'explain' | 'preview', body: AskBody) => Promise<unknown>;

const onlyFiles: Unanswered = { unanswered: 'The project directory is not known, so its settings files cannot be read.' };

interface Asked {
  readonly by: 'agent' | 'files';
  readonly answer: Fields;
}

/** Asks the agent, and the files if it does not answer or only the files are meant. Returns a sentence if neither answers. */
async function ask(source: Source, files: AskFiles | undefined, query: 'explain' | 'preview', body: AskBody): Promise<Asked | string> {
  const answer = body.by === 'files' ? onlyFiles : await source.ask(query, body);
  if (!isUnanswered(answer)) return { by: 'agent', answer: fieldsOf(answer) };
  if (files === undefined) return answer.unanswered;
  return { by: 'files', answer: fieldsOf(await files(query, body)) };
}

export async function answerExplain(response: ServerResponse, source: Source, files: AskFiles | undefined, body: AskBody): Promise<void> {
  const asked = await ask(source, files, 'explain', body);
  if (typeof asked === 'string') return sendProblem(response, 409, 'cannot_be_asked', asked);
  sendJson(response, source.texts.whole(explainAnswer(asked)));
}

export async function answerPreview(response: ServerResponse, source: Source, files: AskFiles | undefined, body: AskBody): Promise<void> {
  const asked = await ask(source, files, 'preview', body);
  if (typeof asked === 'string') return sendProblem(response, 409, 'cannot_be_asked', asked);
  const { by, answer } = asked;
  const shown = by === 'files' ? { shown: markOfCommands(answer) } : {};
  sendJson(response, { ...fieldsOf(source.texts.whole({ by, ...answer })), ...shown });
}

function explainAnswer({ by, answer }: Asked): ExplainAnswer {
  return {
    by,
    hooks: listOf(answer['hooks']).map(({ hookId, name, wouldRun, reason }) => ({
      hookId: textOf(hookId) ?? '',
      ...(typeof name === 'string' ? { name } : {}),
      runs: wouldRun === true,
      sentence: textOf(reason) ?? '',
    })),
    issues: listOf(answer['issues']).map(({ path, message, remedy }) => ({
      path: textOf(path) ?? '',
      message: textOf(message) ?? '',
      ...(typeof remedy === 'string' ? { remedy } : {}),
    })),
  };
}

/**
 * Asks what the messages of an event do not say: the sentence about each hook that did not run, and what hooks read. Only the agent is
 * asked, because settings files may have changed since the event.
 */
export async function askAbout(source: Source, { request, response, progress }: EventMessages): Promise<DetailsExtras> {
  const { eventName, input } = request;
  if (typeof eventName !== 'string' || !isHookEventName(eventName)) return {};
  const body = { eventName, input: fieldsOf(input) };
  const outcomes = listOf(resultOfResponse(response ?? {})['outcomes']);
  const inputs = new Set(progress.filter(({ kind }) => kind === 'hook-input').map(({ hookId }) => hookId));
  const needsStdin = outcomes.some(({ status, hookId }) => status !== 'skipped' && !inputs.has(hookId));
  const needsSentences = outcomes.some(({ status }) => status === 'skipped');
  const [explained, previewed] = await Promise.all([
    needsSentences ? source.ask('explain', body) : undefined,
    needsStdin ? source.ask('preview', body) : undefined,
  ]);
  return {
    ...(explained === undefined || isUnanswered(explained) ? {} : { sentences: sentencesOf(fieldsOf(explained), source) }),
    ...(previewed === undefined || isUnanswered(previewed) ? {} : { stdin: stdinOf(fieldsOf(previewed), source) }),
  };
}

function sentencesOf(answer: Fields, { texts }: Source): ReadonlyMap<string, string> {
  return new Map(
    listOf(texts.whole(answer['hooks'])).flatMap(({ hookId, wouldRun, reason }) =>
      wouldRun === true || typeof reason !== 'string' || reason === '' ? [] : [[texts.short(textOf(hookId) ?? ''), reason] as const],
    ),
  );
}

function stdinOf(answer: Fields, { texts }: Source): DetailsExtras['stdin'] & object {
  return new Map(
    listOf(texts.whole(answer['hooks'])).flatMap(({ hookId, stdin, stdinBytes, cwd }) =>
      typeof stdin === 'string'
        ? [[texts.short(textOf(hookId) ?? ''), { text: stdin, bytes: numberOf(stdinBytes), cwd: textOf(cwd) }] as const]
        : [],
    ),
  );
}
