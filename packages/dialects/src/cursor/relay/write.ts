import type { Heard } from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { Saying, Written } from '../../shared/relay/create-relay-format.js';
import { joined, type RelayIntent } from '../../shared/relay/intent.js';
import { textOfNewResult } from '../../shared/relay/result.js';
import { mostContext } from '../answers/read-answer.js';
import { type CursorEvent, factsOf } from '../input/event-table.js';
import type { CursorHost } from '../options.js';
import { callOfInput } from '../tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;

/** Writes an answer. It is always an object: some versions of Cursor take nothing for a failure. */
export function write({ event, intent, heard }: Saying, host: CursorHost): Written {
  const { output } = factsOf(event as CursorEvent);
  const has = (field: string) => output.includes(field);
  const { kind, reason } = intent;
  const isDenied = kind === 'deny';
  const isObjecting = isDenied || kind === 'ask';
  const said = isObjecting ? reason : '';
  const user = joined([has('permission') || has('continue') ? said : '', intent.user, intent.everyone]);
  return {
    answer: omitUndefined({
      permission: has('permission') && kind !== 'none' ? kind : undefined,
      continue: event === 'beforeSubmitPrompt' && isDenied ? false : undefined,
      user_message: has('user_message') ? user || undefined : undefined,
      agent_message: has('agent_message') && isObjecting ? joined([said, intent.everyone]) || undefined : undefined,
      updated_input: has('updated_input') && !isDenied ? newArguments(intent, heard, host) : undefined,
      updated_mcp_tool_output: has('updated_mcp_tool_output') ? newResult(intent) : undefined,
      additional_context: has('additional_context') ? contextOf(event, intent) : undefined,
      followup_message: has('followup_message') && isDenied ? reason : undefined,
    }),
  };
}

function newArguments(
  { inputs }: RelayIntent,
  heard: Extract<Heard, { kind: 'events' }> | undefined,
  host: CursorHost,
): Fields | undefined {
  const [rewritten] = inputs;
  if (rewritten === undefined || heard === undefined) return undefined;
  return callOfInput({ ...heard.inputs[0]?.input, tool_input: rewritten }, host)?.input ?? rewritten;
}

function newResult({ result }: RelayIntent): string | undefined {
  if (result === undefined) return undefined;
  const text = textOfNewResult(result);
  return text.trim() === '' ? 'A hook removed this result.' : text;
}

const cutMark = '\n[cut off]';

/** Returns the text for the model. After a tool, a deny is feedback. A text that is too long is cut: Cursor would drop it as a whole. */
function contextOf(event: string, { kind, reason, context, everyone }: RelayIntent): string | undefined {
  const isFeedback = event === 'postToolUse' && kind === 'deny';
  if (event === 'beforeSubmitPrompt' && kind === 'deny') return undefined;
  const text = joined([isFeedback ? reason : '', context, everyone]);
  if (text.length <= mostContext) return text || undefined;
  const kept = text.slice(0, mostContext - cutMark.length);
  // Half of a character that consists of two code units would be invalid text.
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${cutMark}`;
}
