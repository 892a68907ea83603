import { type Decoded, describeHook, type ReadableExit } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import type { AnswerFormat, Answering } from './answer-format.js';
import { decodeCommand } from './decode-command.js';
import { parseJson } from './json/json-objects.js';
import { exitWith } from './tool-answer.js';

/**
 * Reads the response of an HTTP server. The status must be 2xx. A JSON object in the body is the answer, and an empty body decides nothing.
 * Any other response is a failure of the hook.
 */
export function decodeResponse(exit: Extract<ReadableExit, { kind: 'response' }>, answering: Answering, format: AnswerFormat): Decoded {
  const what = describeHook(answering.hook);
  const { status, body, truncated, durationMs } = exit;
  if (status < 200 || status > 299) {
    const message = `${what} failed: its server answered with the status ${status}. To deny, answer with the status 200 and ${format.denial?.(answering.hook)}.${quoteBody(body)}`;
    return { failure: { code: 'http_status', message }, warnings: [] };
  }
  if (truncated) {
    return {
      failure: {
        code: 'output_truncated',
        message: `${what} failed: the answer of its server is longer than the limit and is not read. Shorten the answer.`,
      },
      warnings: [],
    };
  }
  if (body.trim() === '') return { warnings: [] };
  const parsed = parseJson(body.trim());
  if (parsed.ok && isPlainObject(parsed.value)) return decodeCommand(exitWith(body, durationMs), answering.event, answering.hook, format);
  const message = `${what} failed: the answer of its server must be a JSON object, or empty, and is ${formatValue(body)}.`;
  return { failure: { code: 'not_an_object', message }, warnings: [] };
}

function quoteBody(body: string): string {
  return body.trim() === '' ? '' : ` It answered: ${formatValue(body.trim())}`;
}
