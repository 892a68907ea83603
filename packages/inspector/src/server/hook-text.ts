import type { ServerResponse } from 'node:http';
import type { EventMessages } from '../store/event-details.js';
import { fieldsOf, listOf, textOf } from '../store/fields.js';
import { pieceOf } from '../store/hook-texts.js';
import type { ShownTexts } from '../store/shown-texts.js';
import { sendJson, sendProblem } from './answers.js';

/** Which text of a hook is asked for, as the path and the query of a request say. */
export interface WantedText {
  /** The place of the hook among those that ran. */
  readonly index: number;
  readonly name: string;
  /** The character at which the piece begins. */
  readonly from: number;
}

/** Sends a piece of a text of a hook. `of` names the event for people. */
export function sendHookText(
  response: ServerResponse,
  messages: EventMessages,
  { index, name, from }: WantedText,
  of: string,
  texts: ShownTexts,
): void {
  const text = wholeText(messages, index, name, texts);
  if (text === undefined) sendProblem(response, 404, 'not_found', `The hook ${index} of ${of} has no ${name}.`);
  else sendJson(response, pieceOf(text, from));
}

/** The masked text of a hook. The whole text is masked, so that no secret is divided between two pieces. */
function wholeText({ response, progress }: EventMessages, index: number, name: string, texts: ShownTexts): string | undefined {
  const result = fieldsOf(response?.['output'] ?? fieldsOf(fieldsOf(response?.['error'])['details']));
  const outcome = listOf(result['outcomes']).filter(({ status }) => status !== 'skipped')[index];
  if (outcome === undefined) return undefined;
  const { hookId, recheck } = outcome;
  const own = progress.filter((step) => step['hookId'] === hookId);
  const late = outcome['status'] === 'detached' ? own.find((step) => step['late'] === true) : undefined;
  const input = own.find((step) => step['kind'] === 'hook-input' && (step['recheck'] === true) === (recheck === true));
  const from = name === 'stdin' ? fieldsOf(input ?? outcome) : fieldsOf(late?.['outcome'] ?? outcome);
  const text = textOf(from[name]);
  return text === undefined ? undefined : textOf(fieldsOf(texts.whole({ [name]: text }))[name]);
}
