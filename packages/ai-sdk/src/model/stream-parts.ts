import { type Fields, fieldsOf, listOf, withFields } from '@tenterhook/agent/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { GenerateResult, StreamPart } from './find-model.js';

/** Parts that begin, continue and end a text or a thought. Parts of several texts may alternate. */
const spoken: ReadonlyMap<unknown, 'text' | 'reasoning'> = new Map([
  ['text-start', 'text'],
  ['text-delta', 'text'],
  ['text-end', 'text'],
  ['reasoning-start', 'reasoning'],
  ['reasoning-delta', 'reasoning'],
  ['reasoning-end', 'reasoning'],
] as const);

/** Parts that a response contains in the same form. */
const contentTypes: readonly unknown[] = [
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'source',
  'file',
  'reasoning-file',
  'custom',
];

/** Makes the complete response of the parts of a stream. */
export function collectParts(parts: readonly StreamPart[]): GenerateResult {
  const content: Fields[] = [];
  const places = new Map<string, number>();
  let rest: Fields = { warnings: [] };
  for (const part of parts) {
    const kind = spoken.get(part['type']);
    if (kind !== undefined) {
      const key = `${kind} ${String(part['id'])}`;
      const place = places.get(key) ?? content.length;
      places.set(key, place);
      content[place] = addSpoken(content[place] ?? { type: kind, text: '' }, part);
    } else if (contentTypes.includes(part['type'])) {
      content.push(part);
    } else {
      rest = { ...rest, ...readEnvelope(part, rest) };
    }
  }
  return { ...rest, content };
}

function addSpoken(before: Fields, { delta, providerMetadata, citations }: StreamPart): Fields {
  const text = String(before['text']) + (typeof delta === 'string' ? delta : '');
  return { ...before, text, ...omitUndefined({ providerMetadata, citations }) };
}

function readEnvelope({ type, ...fields }: StreamPart, { response }: Fields): Fields {
  if (type === 'stream-start') return { warnings: fields['warnings'] };
  if (type === 'response-metadata') return { response: { ...fieldsOf(response), ...fields } };
  if (type !== 'finish') return {};
  const { usage, finishReason, providerMetadata } = fields;
  return { usage, finishReason, ...omitUndefined({ providerMetadata }) };
}

/** Writes a response as the parts of a stream: each text in one piece. */
export function toParts(response: GenerateResult): StreamPart[] {
  const { warnings, content, usage, finishReason, providerMetadata, response: received } = fieldsOf(response);
  const { id, timestamp, modelId } = fieldsOf(received);
  const metadata = omitUndefined({ id, timestamp, modelId });
  return [
    { type: 'stream-start', warnings: listOf(warnings) },
    ...(Object.keys(metadata).length === 0 ? [] : [{ type: 'response-metadata', ...metadata }]),
    ...listOf(content).flatMap((part, place) => writeContent(fieldsOf(part), `hook-${place}`)),
    { type: 'finish', usage, finishReason, ...omitUndefined({ providerMetadata }) },
  ];
}

function writeContent(part: Fields, id: string): StreamPart[] {
  const { type, text, providerMetadata, citations } = part;
  if (type !== 'text' && type !== 'reasoning') return [part];
  return [
    { type: `${type}-start`, id, ...omitUndefined({ providerMetadata }) },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, ...omitUndefined({ providerMetadata, citations }) },
  ];
}

/** Returns a stream of parts that are known already. `failure` ends it with an error. */
export function streamOf(parts: readonly StreamPart[], failure?: { readonly error: unknown }): ReadableStream<StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (failure === undefined) controller.close();
      else controller.error(failure.error);
    },
  });
}

/** Returns the result of `doStream` with another stream. */
export function withStream<Result extends object>(result: Result, stream: ReadableStream<StreamPart>): Result {
  return withFields(result, { stream });
}
