import type { HookOutput, HookWarning } from '@tenterhook/protocol';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import { loopCountOf } from '../../shared/input.js';
import type { Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { isText } from '../../shared/text.js';
import { type CopilotEvent, factsOf, isPascal } from '../input/event-table.js';
import type { CopilotHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { toHostInput } from '../tools/tool-call.js';
import { decide, type Reading } from './decision.js';
import { nestedFields, readFields, topFields } from './fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** The field with the answers inside, as in Claude Code and in VS Code. */
const nestedField = 'hookSpecificOutput';

/** Tests whether an object has a field of an answer. */
export function isAnswer(object: Fields): boolean {
  return [...topFields, nestedField].some((field) => Object.hasOwn(object, field));
}

/** How many answers in a row a hook may reject, so that the agent continues. */
const mostInARow = 8;

/** Converts a printed object into canonical output. */
export function readAnswer(printed: Fields, { event, hook }: Answering, host: CopilotHost): ReadOutput {
  const { event: name } = dataOf(hook);
  const warnings: HookWarning[] = [];
  const readsNested = host.isVsCode || (name === 'preToolUse' && isPascal(hook.dialectEvent));
  const reading: Reading = { event: name, readsNested, isVsCode: host.isVsCode, warnings };
  const { [nestedField]: inner, ...outer } = printed;
  const top = readFields(outer, topFields, '', warnings);
  const nested = isPlainObject(inner) ? readFields(inner, nestedFields, `${nestedField}.`, warnings) : {};
  const decided = withinLoop(decide(top, nested, { hook, ask: host.ask, reading }), name, event.input, warnings);
  const specific = omitUndefined({
    additionalContext: contextOf(top, nested, reading),
    userMessage: host.isVsCode && isText(top['systemMessage']) ? top['systemMessage'] : undefined,
    updatedInput: argumentsOf(top, nested, reading, (written) => toHostInput(written, event.input, host)),
    updatedToolOutput: resultOf(top['modifiedResult'], reading),
    replacedPrompt: promptOf(top['modifiedPrompt'], reading),
  });
  reportIneffective(top, nested, reading);
  return { output: { ...decided, ...(Object.keys(specific).length === 0 ? {} : { hookSpecificOutput: specific }) }, warnings };
}

/** The agent continues at most a number of times in a row because of its hooks. */
function withinLoop(decided: HookOutput, name: CopilotEvent, input: Fields, warnings: HookWarning[]): HookOutput {
  const count = loopCountOf(input);
  if (decided.decision !== 'deny' || (name !== 'agentStop' && name !== 'subagentStop') || count < mostInARow) return decided;
  const message = `The decision is ignored: the agent has continued ${count} times in a row, and Copilot continues at most ${mostInARow} times.`;
  warnings.push({ code: 'decision_ignored', message });
  return {};
}

/** Returns the text for the model. The same text in both places counts once. */
function contextOf(top: Fields, nested: Fields, { event, readsNested, warnings }: Reading): string | undefined {
  const { output, isUncertain } = factsOf(event);
  const [outer, inner] = [top['additionalContext'], nested['additionalContext']];
  const texts = [...new Set([outer, inner].filter(isText))];
  if (texts.length === 0 || !output.includes('additionalContext')) return undefined;
  if (isText(inner) && !readsNested && outer !== inner) {
    const message = `Copilot's command line reads additionalContext of ${event} at the top level alone; here it counts inside hookSpecificOutput too.`;
    warnings.push({ code: 'uncertain_effect', message });
  }
  if (isUncertain === true) {
    const message = `Whether Copilot passes on additionalContext of ${event} depends on its version. Here it is passed on.`;
    warnings.push({ code: 'uncertain_effect', message });
  }
  return texts.join('\n');
}

/** Returns the new arguments of a tool. Without a place where Copilot reads them, they have no effect. */
function argumentsOf(
  top: Fields,
  nested: Fields,
  { event, readsNested }: Reading,
  toHost: (written: Fields) => Fields,
): Fields | undefined {
  if (event !== 'preToolUse') return undefined;
  const written = [readsNested ? (nested['updatedInput'] ?? nested['modifiedArgs']) : undefined, top['modifiedArgs']].find(isPlainObject);
  return written === undefined ? undefined : toHost(written);
}

/** Converts a new result. It counts after a failed tool too, because the hook may have removed a secret. */
function resultOf(written: unknown, { event, warnings }: Reading): unknown {
  if (!isPlainObject(written) || (event !== 'postToolUse' && event !== 'postToolUseFailure')) return undefined;
  if (event === 'postToolUseFailure') {
    const message = 'Copilot itself ignores modifiedResult of failed tools; here it replaces the result.';
    warnings.push({ code: 'uncertain_effect', message });
  }
  const text = written['textResultForLlm'];
  const isFailure = written['resultType'] !== undefined && written['resultType'] !== 'success';
  return isFailure ? { llmContent: text, error: { message: text } } : text;
}

function promptOf(written: unknown, { event, warnings }: Reading): string | undefined {
  if (!isText(written) || event !== 'userPromptSubmitted') return undefined;
  const message = 'It is not known whether Copilot obeys modifiedPrompt of hooks in settings; here it replaces the prompt.';
  warnings.push({ code: 'uncertain_effect', message });
  return written;
}

/** Fields that replace something. Their author may have wanted to remove it, and it is still there. */
const rewriting = ['modifiedArgs', 'modifiedResult', 'modifiedPrompt', 'modifiedResponse', 'modifiedTransformedPrompt', 'metaToUse'];

/** Reports fields that have no effect on the event, or in their place. */
function reportIneffective(top: Fields, nested: Fields, { event, readsNested, isVsCode, warnings }: Reading): void {
  const { output } = factsOf(event);
  const isUsed = (field: string) =>
    output.includes(field) || (field === 'modifiedResult' && event === 'postToolUseFailure') || (field === 'systemMessage' && isVsCode);
  // A decision in any place is handled with the decisions.
  const decisions = [
    'permissionDecision',
    'permissionDecisionReason',
    'decision',
    'reason',
    'behavior',
    'message',
    'interrupt',
    'continue',
    'stopReason',
  ];
  for (const field of Object.keys(top)) {
    if (isUsed(field) || decisions.includes(field) || top[field] === '') continue;
    const code = rewriting.includes(field) ? 'rewrite_ignored' : 'no_effect';
    warnings.push({ code, message: `${field} has no effect on ${event}; it was dropped.` });
  }
  for (const field of ['updatedInput', 'modifiedArgs']) {
    if (nested[field] === undefined || (readsNested && event === 'preToolUse')) continue;
    const message = `hookSpecificOutput.${field} has no effect on ${event}: Copilot reads no hookSpecificOutput here. Write modifiedArgs at the top level.`;
    warnings.push({ code: 'rewrite_ignored', message });
  }
}
