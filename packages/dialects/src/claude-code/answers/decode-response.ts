import { type Decoded, describeHook, type ReadableExit } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answering } from '../../shared/output/answer-format.js';
import { parseJson } from '../../shared/output/json-objects.js';
import { formatValue } from '../../shared/text.js';
import type { ClaudeHost } from '../options.js';
import { readAnswer } from './read-answer.js';

/** The answer of a server: 2xx with nothing is no opinion, with an object an answer; everything else is a failure of the hook. */
export function decodeResponse(exit: Extract<ReadableExit, { kind: 'response' }>, answering: Answering, host: ClaudeHost): Decoded {
  const what = describeHook(answering.hook);
  const { status, body, truncated } = exit;
  if (status < 200 || status > 299) {
    return { failure: { code: 'http_status', message: `${what} was answered with the status ${status}${said(body)}.` }, warnings: [] };
  }
  if (truncated) {
    return {
      failure: { code: 'output_truncated', message: `${what} was answered with more than is kept; the answer is not read.` },
      warnings: [],
    };
  }
  if (body.trim() === '') return { warnings: [] };
  const parsed = parseJson(body.trim());
  if (parsed.ok && isPlainObject(parsed.value)) return readAnswer(parsed.value, answering, false, host);
  return {
    failure: { code: 'not_an_object', message: `${what} was answered with ${formatValue(body)}, which is no JSON object.` },
    warnings: [],
  };
}

function said(body: string): string {
  return body.trim() === '' ? '' : `: ${formatValue(body.trim())}`;
}
