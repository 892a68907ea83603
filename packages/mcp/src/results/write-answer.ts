import type { FinishedToolCall } from '@tenterhook/agent';
import { toNotes } from '@tenterhook/agent/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Message } from '../wire/message.js';
import { isText } from './show-result.js';

/** What a response has beside its id. */
export type Answer = { readonly result: Message } | { readonly error: Message };

/** What must be known about a call to write its answer. */
export interface AnsweredCall {
  readonly name: string;
  /** The response of the server. Undefined if the server was not asked, or has ended. */
  readonly response: Answer | undefined;
  /** Whether results have a `resultType`: from the protocol 2026-07-28 on. */
  readonly isModern: boolean;
  /** Whether the tool declared an `outputSchema`. Clients refuse a result without structured content then, unless it is an error. */
  readonly hasOutputSchema: boolean;
}

const responseKeys = ['jsonrpc', 'id', 'result', 'error'];

/** Returns the response if it has only the fields that hooks have seen. */
export function keepOriginal(response: Message): Message | undefined {
  return Object.keys(response).every((key) => responseKeys.includes(key)) ? response : undefined;
}

/** Returns an error of ours. */
export function toError(code: number, message: string): Answer {
  return { error: { code, message } };
}

/** Returns the answer to the client when hooks have seen a call: the result of the server with what hooks added, or why there is none. */
export function writeAnswer(finished: FinishedToolCall, call: AnsweredCall): Answer {
  const { response } = call;
  const added = [...(finished.additions ?? []), ...toNotes(finished)];
  if (response === undefined) return { result: createRefusal(refusalText(finished), toNotes(finished), call) };
  if ('error' in response) {
    if (finished.replacement === undefined) return response;
    // The data of the error may repeat what a hook removed.
    const { code } = response.error;
    return { error: { code: typeof code === 'number' ? code : -32603, message: asText(finished.replacement.value) } };
  }
  if (response.result['isError'] === true) added.push(...findRewriters(finished));
  if (finished.status === 'stopped') added.push(stopText(`after ${call.name} ran`, finished));
  const texts = added.length === 0 ? [] : [{ type: 'text', text: added.join('\n') }];
  const { result } = response;
  if (finished.replacement === undefined) {
    if (texts.length === 0) return response;
    const { content } = result;
    return { result: { ...result, content: [...(Array.isArray(content) ? content : []), ...texts] } };
  }
  // Nothing else of the result is kept, because structured content and metadata may repeat what a hook removed.
  const isError = result['isError'] === true || call.hasOutputSchema;
  return {
    result: {
      ...resultType(call),
      content: [...toContent(finished.replacement.value), ...texts],
      ...(isError ? { isError } : {}),
    },
  };
}

/**
 * Says which hooks rewrote the arguments of a call that failed. The server checks the arguments, and its message would blame the model for
 * what a hook wrote. Returns nothing if no hook did.
 */
export function findRewriters({ before, permission }: Pick<FinishedToolCall, 'before' | 'permission'>): string[] {
  const changes = [before, permission].flatMap((result) => result?.changes ?? []);
  const ids = new Set(changes.filter(({ path }) => /^tool_input(?:\.|$)/.test(path)).map(({ hookId }) => `"${hookId}"`));
  return ids.size === 0 ? [] : [`The arguments of this call were rewritten by hook ${[...ids].join(', ')}.`];
}

/** Returns the result of a call that did not run. The model reads the reason. */
export function createRefusal(reason: string, notes: readonly string[], call: Pick<AnsweredCall, 'isModern'>): Message {
  return { ...resultType(call), content: [{ type: 'text', text: [reason, ...notes].join('\n\n') }], isError: true };
}

function refusalText(finished: FinishedToolCall): string {
  const text = asText(finished.result.llmContent);
  return finished.status === 'stopped' ? `${text}\n\n${onlyThisCall}` : text;
}

const onlyThisCall = 'Only this call was refused, because hooks around an MCP server cannot end the agent.';

function stopText(when: string, { stopReason, reason }: FinishedToolCall): string {
  const why = stopReason ?? reason;
  return `A hook stopped the agent ${when}.${why === undefined ? '' : ` ${why}`} The agent goes on, because hooks around an MCP server cannot end it.`;
}

function resultType({ isModern }: Pick<AnsweredCall, 'isModern'>): Message {
  return isModern ? { resultType: 'complete' } : {};
}

/** Returns content as hooks wrote it: parts of MCP as they are, and every other value as a text. */
function toContent(value: unknown): unknown[] {
  if (Array.isArray(value) && value.every(isPart)) return value;
  return isPart(value) ? [value] : [{ type: 'text', text: asText(value) }];
}

/** The fields that clients require of each type of part. */
const partFields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

function isPart(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { type } = value;
  if (type === 'resource') return isPlainObject(value['resource']) && typeof value['resource']['uri'] === 'string';
  const fields = typeof type === 'string' && Object.hasOwn(partFields, type) ? partFields[type] : undefined;
  return fields?.every((field) => typeof value[field] === 'string') ?? false;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isText(value) ? value.text : (JSON.stringify(value) ?? '');
}
