import type { ServerResponse } from 'node:http';
import type { WantedText } from '../details/details-work.js';
import { sendJsonText, sendProblem } from './answers.js';

/** Sends a piece of a text of a hook, or that there is none. `of` names the event for people. */
export function sendHookText(
  response: ServerResponse,
  json: string | Uint8Array | undefined,
  { index, name }: WantedText,
  of: string,
): void {
  if (json === undefined) sendProblem(response, 404, 'not_found', `The hook ${index} of ${of} has no ${name}.`);
  else sendJsonText(response, json);
}
