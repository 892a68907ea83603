import { isPlainObject } from '@tenterhook/runtime/json';
import { describeValue, requireOptions } from '@tenterhook/runtime/text';
import { createHeader } from '../format/header.js';
import { formatMessage } from '../format/parse-line.js';
import { findCancel } from '../format/recorded-cancel.js';
import type { RecordedExchange, RecordedMessage, Recording } from '../format/recording.js';
import { requireRecording } from '../format/require-recording.js';
import { inKeyOrder } from './key-order.js';
import { collectIds, idFields, isVolatile, normaliseText } from './volatile-texts.js';

/** What the minimal form contains. */
export interface MinimalOptions {
  /** Whether texts for people are kept: stderr, and stdout that was parsed. They often differ from machine to machine. @default false */
  readonly texts?: boolean | undefined;
}

/**
 * Returns a recording as the text of a file that can be committed: without times, numbers, progress and durations, with ordinals in place
 * of generated ids, each request followed by its response. The minimal form of a minimal recording is the same text. Throws a TypeError for
 * unknown and invalid options.
 */
export function formatMinimal(recording: Recording, options: MinimalOptions = {}): string {
  requireOptions('formatMinimal', options, ['texts']);
  requireRecording('formatMinimal', recording);
  const { texts = false } = options;
  if (typeof texts !== 'boolean') throw new TypeError(`texts must be true or false, and is ${describeValue(texts)}.`);
  const { masked, placeholders } = recording.header;
  const requests = recording.exchanges.filter(({ request }) => request !== undefined);
  const knownIds = new Set<string>();
  for (const { request } of requests) collectIds(request?.payload, knownIds);
  const names = new Map<string, string>();
  let count = 0;
  const nameId = (id: string) => {
    let name = names.get(id);
    if (name === undefined) {
      count += 1;
      name = `id#${count}`;
      names.set(id, name);
    }
    return name;
  };
  const copy = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return idFields.has(key) ? nameId(value) : normaliseText(value, knownIds, nameId);
    if (Array.isArray(value)) return value.map((item) => copy(item, key));
    if (!isPlainObject(value)) return value;
    const kept = Object.entries(value).filter(([name, item]) => !isVolatile(name, item));
    return Object.fromEntries(kept.map(([name, item]) => [normaliseText(name, knownIds, nameId), copy(item, name)]));
  };
  // Correlation ids may be in texts, and are named before all others, by their requests.
  const lines = requests.flatMap((exchange) => {
    const correlationId = `#${exchange.ordinal}`;
    if (exchange.correlationId !== undefined) names.set(exchange.correlationId, correlationId);
    return messagesOf(exchange).map((message) => {
      const payload = isPlainObject(message.payload) ? withoutTexts(message.payload, texts) : message.payload;
      // The order comes first, because it decides which id is the first one.
      const normal = copy(inKeyOrder(payload), '');
      const { n: _n, t: _t, ...others } = message;
      return formatMessage({ ...others, payload: isPlainObject(normal) ? { correlationId, ...normal } : normal });
    });
  });
  return [JSON.stringify(createHeader({ form: 'minimal', masked, placeholders })), ...lines].map((line) => `${line}\n`).join('');
}

/** The messages that are kept. A cancel has the hook after whose start it was sent, because the progress is left out. */
function messagesOf(exchange: RecordedExchange): RecordedMessage[] {
  const { request, response } = exchange;
  const [cancel] = exchange.cancels;
  const after = findCancel(exchange)?.after;
  const marked = cancel === undefined ? [] : [after === undefined ? cancel : { ...cancel, after }];
  return [...(request === undefined ? [] : [request]), ...marked, ...(response === undefined ? [] : [response])];
}

function withoutTexts(payload: Record<string, unknown>, texts: boolean): Record<string, unknown> {
  const { output } = payload;
  if (texts || !isPlainObject(output) || !Array.isArray(output['outcomes'])) return payload;
  const outcomes = output['outcomes'].map((outcome: unknown) => {
    if (!isPlainObject(outcome)) return outcome;
    const { stdin: _stdin, stderr: _stderr, stderrBytes: _errorBytes, stdoutBytes: _bytes, route: _route, stdout, ...others } = outcome;
    return stdout === undefined || others['output'] !== undefined ? others : { ...others, stdout };
  });
  return { ...payload, output: { ...output, outcomes } };
}
