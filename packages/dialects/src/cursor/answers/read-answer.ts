import type { HookOutput, HookWarning } from '@tenterhook/protocol';
import { hookLabel, unusableValue } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { loopCountOf } from '../../shared/input.js';
import type { Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { keptFields, reportOtherSpellings, wrongType } from '../../shared/output/fields/printed-fields.js';
import { formatValue, isText } from '../../shared/text.js';
import { toToolOutput } from '../../shared/tool-response.js';
import { type CursorEvent, factsOf } from '../input/event-table.js';
import type { CursorHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { mcpToolOfInput, toHostInput } from '../tools/tool-call.js';

type Fields = Readonly<Record<string, unknown>>;

/** The number of characters above which Cursor drops a context as a whole. */
export const mostContext = 10_000;

type Check = readonly [test: (value: unknown) => boolean, expected: string];

const text: Check = [(value) => typeof value === 'string', 'Write a string.'];
const object: Check = [isPlainObject, 'Write an object.'];

/** What the value of each field must be. A field with `null` counts as missing. */
const fields: Readonly<Record<string, Check>> = {
  permission: [(value) => value === 'allow' || value === 'deny' || value === 'ask', 'Write "deny", "ask" or "allow", in lower case.'],
  user_message: text,
  agent_message: text,
  updated_input: object,
  additional_context: text,
  continue: [(value) => typeof value === 'boolean', 'Write true or false, without quotes.'],
  followup_message: text,
  updated_mcp_tool_output: [(value) => typeof value === 'string' || isPlainObject(value), 'Write a text, or { "content": [ … ] }.'],
  env: [(value) => isPlainObject(value) && Object.values(value).every((one) => typeof one === 'string'), 'Write { "NAME": "value" }.'],
  pluginPaths: [(value) => Array.isArray(value) && value.every((one) => typeof one === 'string'), 'Write an array of paths.'],
};

export const answerFields = Object.keys(fields);

/** Converts a printed object into canonical output. */
export function readAnswer(printed: Fields, { event, hook }: Answering, host: CursorHost): ReadOutput {
  const { event: name } = dataOf(hook);
  const warnings: HookWarning[] = [];
  const given = readFields(printed, name, warnings);
  const decided = decide(given, { name, hook, input: event.input, host, warnings });
  const specific = omitUndefined({
    additionalContext: contextOf(given, decided, name, warnings),
    userMessage: isText(given['user_message']) && given['user_message'] !== decided?.reason ? given['user_message'] : undefined,
    updatedInput: isPlainObject(given['updated_input']) ? toHostInput(given['updated_input'], event.input, host) : undefined,
    updatedToolOutput: resultOf(given['updated_mcp_tool_output'], event.input, host, warnings),
    sessionVariables: given['env'],
    pluginPaths: given['pluginPaths'],
  });
  return { output: { ...decided, ...(Object.keys(specific).length === 0 ? {} : { hookSpecificOutput: specific }) }, warnings };
}

/** Returns the fields that have an effect on the event. A field of the wrong type or of another event is left out, with a warning. */
function readFields(printed: Fields, name: CursorEvent, warnings: HookWarning[]): Fields {
  const { output } = factsOf(name);
  const objection = findMisplacedObjection(printed, name);
  const isKnown = (field: string) => Object.hasOwn(fields, field);
  const kept: Record<string, unknown> = {};
  for (const field of keptFields(printed, isKnown, 'The output', warnings)) {
    if (!isKnown(field)) continue;
    const value = printed[field];
    const [test, remedy] = fields[field] as Check;
    const problem = unusableValue(field, value);
    if (problem !== undefined) warnings.push(problem);
    else if (!test(value)) warnings.push(wrongType(field, value, remedy));
    else if (output.includes(field)) kept[field] = value;
    else if (field === objection) {
      kept[field] = value;
      warnings.push(countedObjection(field, value, name));
    } else if (!isUsual(field, value)) warnings.push(noEffect(field, name));
  }
  const said = reportOtherSpellings(printed, answerFields, 'The output', warnings);
  const unknown = Object.keys(printed).filter((field) => !isKnown(field) && !said.has(field) && printed[field] !== null);
  if (unknown.length > 0) warnings.push(unknownFields(unknown));
  return kept;
}

/**
 * Returns the field of a deny or an ask that Cursor reads on other events only: `continue: false` on an event with a permission, or a
 * permission on the event of a prompt. It counts, because the hook is a guard of this event (decision 68).
 */
function findMisplacedObjection({ permission, continue: goesOn }: Fields, name: CursorEvent): string | undefined {
  if (factsOf(name).isPermission) return goesOn === false ? 'continue' : undefined;
  return name === 'beforeSubmitPrompt' && (permission === 'deny' || permission === 'ask') ? 'permission' : undefined;
}

function countedObjection(field: string, value: unknown, name: CursorEvent): HookWarning {
  const instead = field === 'continue' ? '{ "permission": "deny", "agent_message": "…" }' : '{ "continue": false, "user_message": "…" }';
  const message = `Cursor ignores ${field} ${formatValue(value)} on ${name}. Tenterhook treats it as a deny. Write ${instead}.`;
  return { code: 'deny_counted', message };
}

/** Tests for a value that changes nothing, so that it needs no warning. */
function isUsual(field: string, value: unknown): boolean {
  return (field === 'continue' && value === true) || (field === 'permission' && value === 'allow') || value === '';
}

function noEffect(field: string, name: CursorEvent): HookWarning {
  const message = `${field} has no effect on ${name}; it was dropped.`;
  // A hook may rewrite in order to remove something, which is still there.
  return { code: field.startsWith('updated_') ? 'rewrite_ignored' : 'no_effect', message };
}

function unknownFields(unknown: readonly string[]): HookWarning {
  const named = unknown.slice(0, 5).map(formatValue).join(', ');
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  return {
    code: 'reserved_field',
    message: `${named}${more}: unknown in this format; dropped. Known fields are ${answerFields.join(', ')}.`,
  };
}

interface Deciding {
  readonly name: CursorEvent;
  readonly hook: Answering['hook'];
  readonly input: Fields;
  readonly host: CursorHost;
  readonly warnings: HookWarning[];
}

type Decided = Pick<HookOutput, 'decision' | 'reason'> | undefined;

function decide(given: Fields, deciding: Deciding): Decided {
  const { name, hook, warnings } = deciding;
  const label = hookLabel(hook);
  const said = [given['agent_message'], given['user_message']].find(isText);
  switch (name) {
    case 'beforeSubmitPrompt':
      if (given['continue'] !== false && given['permission'] === undefined) return undefined;
      return { decision: 'deny', reason: said ?? `Hook "${label}" blocked the prompt and gave no reason.` };
    case 'sessionStart':
      if (given['continue'] === false) warnings.push(rejectedPrompt('"continue": false'));
      return undefined;
    case 'stop':
    case 'subagentStop':
      return followUp(given['followup_message'], deciding);
    default:
      break;
  }
  switch (given['continue'] === false ? 'deny' : given['permission']) {
    case 'deny':
      return { decision: 'deny', reason: said ?? `Hook "${label}" denied ${name} and gave no reason.` };
    case 'ask':
      return ask(said ?? `Hook "${label}" asked about ${name} and gave no reason.`, deciding);
    case 'allow':
      return { decision: 'allow', ...(said === undefined ? {} : { reason: said }) };
    default:
      return undefined;
  }
}

/** The warning for a hook of sessionStart that rejects the prompt, which Tenterhook does not support. */
export function rejectedPrompt(what: string): HookWarning {
  const message = `${what} has no effect on sessionStart; Cursor itself rejects the prompt. Use beforeSubmitPrompt to reject prompts.`;
  return { code: 'no_effect', message };
}

/** Cursor obeys an ask on some events only. On the others, a setting decides what it means. */
function ask(reason: string, { name, host, warnings }: Deciding): Decided {
  if (factsOf(name).asks) return { decision: 'ask', reason };
  const meaning = name === 'subagentStart' ? 'deny' : host.ask;
  const effect = { deny: 'a deny', ask: 'an ask', none: 'no decision' }[meaning];
  const message = `Cursor does not obey an ask on ${name}. Tenterhook treats it as ${effect} (option "ask").`;
  warnings.push({ code: 'unsupported_ask', message });
  return meaning === 'none' ? undefined : { decision: meaning, reason };
}

/** Reads the message with which the agent continues. It is not obeyed more often in a row than the hook's `loop_limit`. */
function followUp(message: unknown, { name, hook, input, warnings }: Deciding): Decided {
  if (!isText(message)) return undefined;
  const { loopLimit } = dataOf(hook);
  const count = loopCountOf(input);
  if (count < loopLimit) return { decision: 'deny', reason: message };
  const why = `followup_message is ignored: the agent has continued ${count} times in a row on ${name}, and "loop_limit" of the hook is ${loopLimit}.`;
  warnings.push({ code: 'decision_ignored', message: why });
  return undefined;
}

/** Returns the text for the model. A message beside an allow goes to the model too, if the event has a place for it. */
function contextOf(given: Fields, decided: Decided, name: CursorEvent, warnings: HookWarning[]): string | undefined {
  const message = decided?.decision === 'deny' || decided?.decision === 'ask' ? undefined : given['agent_message'];
  const context = [given['additional_context'], message].filter(isText).join('\n');
  if (context.length > mostContext) {
    const what = `additional_context has ${context.length} characters. Cursor itself drops a context of more than ${mostContext} as a whole.`;
    warnings.push({ code: 'no_effect', message: `${what} It is passed on. Shorten it.` });
  }
  return context === '' || factsOf(name).eventName === 'SubagentStart' ? undefined : context;
}

/** Converts a new result of a tool. Cursor uses it for MCP tools only. Here it counts for all, because the hook may have removed a secret. */
function resultOf(written: unknown, input: Fields, host: CursorHost, warnings: HookWarning[]): unknown {
  if (written === undefined) return undefined;
  if (mcpToolOfInput(input, host) === undefined) {
    const message =
      'Cursor itself ignores updated_mcp_tool_output of tools that are not tools of MCP servers; here it replaces the result.';
    warnings.push({ code: 'no_effect', message });
  }
  return toToolOutput(written);
}
