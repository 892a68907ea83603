import { type HookDecision, type HookEvent, type HookOutput, type HookWarning, verdictOf } from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import { isPlainObject, omitUndefined } from '@tenterhook/runtime/json';
import type { Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { checkedFields, type FieldCheck, objectCheck, textCheck, wordCheck } from '../../shared/output/fields/checked-fields.js';
import { formatValue, isText, isTexts } from '../../shared/text.js';
import { type AntigravityEvent, factsOf } from '../input/event-table.js';
import type { AntigravityHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { callOfInput, toHostInput } from '../tools/tool-call.js';
import { textsOf } from './inject-steps.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the value of each field must be, on any event. */
const checks: Readonly<Record<string, FieldCheck>> = {
  decision: textCheck,
  reason: textCheck,
  overwrite: objectCheck,
  permissionOverrides: [isTexts, 'Write a list of strings.'],
  injectSteps: [Array.isArray, 'Write [ { "userMessage": "…" } ].'],
  terminationBehavior: wordCheck('terminate', 'force_continue', ''),
  // It is not a field of Antigravity, but in most other formats it stops the agent.
  continue: [(value) => typeof value === 'boolean', ''],
};

/** The fields of answers, on any event. */
export const answerFields: readonly string[] = Object.keys(checks).filter((field) => field !== 'continue');

const readFields = [...answerFields, 'continue'];

interface Reading extends Answering {
  readonly name: AntigravityEvent;
  readonly host: AntigravityHost;
  readonly warnings: HookWarning[];
}

/** Converts a printed object into canonical output. */
export function readAnswer(printed: Fields, { event, hook }: Answering, host: AntigravityHost): ReadOutput {
  const { event: name } = dataOf(hook);
  const warnings: HookWarning[] = [];
  const reading: Reading = { event, hook, name, host, warnings };
  const fields = checkedFields(printed, readFields, (field) => checks[field] as FieldCheck, '', warnings);
  reportIneffective(fields, reading);
  const output = factsOf(name).isGate === true ? readGate(fields, reading) : readOther(fields, reading);
  return { output, warnings };
}

/** Reads an answer before a tool. Without a valid decision it has none here; the caller denies then. */
function readGate(fields: Fields, reading: Reading): HookOutput {
  const { hook, name, host, event, warnings } = reading;
  const { decision, reason: given, overwrite, permissionOverrides } = fields;
  const reason = isText(given) ? given : undefined;
  const label = hookLabel(hook);
  if (permissionOverrides !== undefined && decision !== 'deny') {
    const message = 'permissionOverrides has no effect: hooks cannot grant permissions in Tenterhook.';
    warnings.push({ code: 'no_effect', message });
  }
  const kind = kindOf(decision);
  const stop = readStop(fields, [], reading);
  if (kind === 'deny') {
    if (decision !== 'deny') warnings.push(deniedAs(decision));
    return { ...stop, decision: 'deny', reason: reason ?? `Hook "${label}" denied ${name} and gave no reason.` };
  }
  if (kind === undefined) return stop;
  const rewrite = isPlainObject(overwrite) ? rewrittenInput(overwrite, event, host) : undefined;
  if (rewrite === 'another call') {
    const message = `Hook "${label}" replaced the call by a call of another tool, which is not possible here.`;
    warnings.push({ code: 'rewrite_ignored', message });
    return { ...stop, decision: 'deny', reason: message };
  }
  const specific = rewrite === undefined ? {} : { hookSpecificOutput: { updatedInput: rewrite } };
  if (kind === 'allow') return { ...stop, decision: 'allow', ...omitUndefined({ reason }), ...specific };
  const question = reason ?? `Hook "${label}" asked about ${name} and gave no reason.`;
  if (host.ask === 'ask') return { ...stop, decision: 'ask', reason: question, ...specific };
  warnings.push({ code: 'unsupported_ask', message: 'No user can answer here, so an ask is a deny (option "ask").' });
  return { ...stop, decision: 'deny', reason: question };
}

/** Returns what a decision before a tool means, or undefined for a word that Antigravity does not have. */
function kindOf(decision: unknown): 'allow' | 'ask' | 'deny' | undefined {
  if (decision === 'allow') return 'allow';
  if (decision === 'ask' || decision === 'force_ask') return 'ask';
  return decision === 'deny_unless_prior_grant' || verdictOf(decision as HookDecision) === 'deny' ? 'deny' : undefined;
}

function deniedAs(decision: unknown): HookWarning {
  const message =
    decision === 'deny_unless_prior_grant'
      ? 'It is not known here whether the user has granted the call before, so "deny_unless_prior_grant" is a deny.'
      : `Antigravity has no decision ${formatValue(decision)}, and denies then. Write "deny".`;
  return { code: 'deny_counted', message };
}

/** Returns the new arguments of a call. Some hooks write the whole call, `{ name, args }`, unless the tool has such arguments itself. */
function rewrittenInput(overwrite: Fields, event: HookEvent, host: AntigravityHost): Fields | 'another call' {
  const { name, args, ...others } = overwrite;
  const given = event.input['tool_input'];
  const isOwn = isPlainObject(given) && 'name' in given && 'args' in given;
  const isCall = !isOwn && typeof name === 'string' && isPlainObject(args) && Object.keys(others).length === 0;
  if (isCall && callOfInput(event.input, host)?.names.includes(name) !== true) return 'another call';
  return toHostInput(isCall ? args : overwrite, event.input, host) ?? 'another call';
}

/** Reads an answer on an event whose hooks cannot decide about an operation in Antigravity. A deny, an ask and a stop count nevertheless. */
function readOther(fields: Fields, reading: Reading): HookOutput {
  const { name, event, warnings } = reading;
  const texts = textsOf(fields['injectSteps'], warnings);
  const stop = readStop(fields, texts, reading);
  const specific = writtenTexts(texts, name, event.input);
  if (texts.length > 0 && specific === undefined && stop.stopReason === undefined) {
    const message = `injectSteps has no effect on ${name}: there is no place for a text after an answer. Inject it on PreInvocation.`;
    warnings.push({ code: 'no_effect', message });
  }
  return { ...decided(fields, reading), ...stop, ...(specific === undefined ? {} : { hookSpecificOutput: specific }) };
}

function decided({ decision, reason: given }: Fields, { hook, name, warnings }: Reading): HookOutput {
  const verdict = verdictOf(decision as HookDecision);
  const isContinue = name === 'Stop' && decision === 'continue';
  const kind = isContinue || verdict === 'deny' ? 'deny' : verdict === 'ask' || decision === 'force_ask' ? 'ask' : undefined;
  if (kind === undefined) {
    if (name === 'Stop' && isText(decision) && decision.toLowerCase() === 'continue') {
      const message = `decision ${formatValue(decision)} has no effect on Stop; only "continue", in lower case, lets the agent go on.`;
      warnings.push({ code: 'wrong_type', message });
    }
    return {};
  }
  if (!isContinue) {
    const message = `Antigravity ignores decision ${formatValue(decision)} on ${name}. Tenterhook treats it as "${kind}".`;
    const remedy = name === 'Stop' ? ' Write "continue" to let the agent go on.' : '';
    warnings.push({ code: kind === 'deny' ? 'deny_counted' : 'ask_counted', message: `${message}${remedy}` });
  }
  const what = kind === 'ask' ? `asked about ${name}` : isContinue ? 'let the agent go on' : `denied ${name}`;
  return { decision: kind, reason: isText(given) ? given : `Hook "${hookLabel(hook)}" ${what} and gave no reason.` };
}

/** Reads the fields that end the loop of the agent. */
function readStop(fields: Fields, texts: readonly string[], { hook, name, warnings }: Reading): HookOutput {
  const { terminationBehavior, continue: goesOn, reason } = fields;
  if (terminationBehavior === 'force_continue') {
    const message = `terminationBehavior "force_continue" has no effect: the answer of the model decides. Use the decision "continue" on Stop.`;
    warnings.push({ code: 'no_effect', message });
  }
  const isOwn = name === 'PostInvocation' && terminationBehavior === 'terminate';
  if (!isOwn && terminationBehavior !== 'terminate' && goesOn !== false) return {};
  if (!isOwn) {
    const field = terminationBehavior === 'terminate' ? 'terminationBehavior "terminate"' : 'continue false';
    warnings.push({ code: 'deny_counted', message: `Antigravity ignores ${field} on ${name}. Tenterhook treats it as a stop.` });
  }
  const given = [...texts, ...(isText(reason) ? [reason] : [])].join('\n');
  return { continue: false, stopReason: isText(given) ? given : `Hook "${hookLabel(hook)}" ended the loop and gave no reason.` };
}

/** Returns the place of texts for the model on an event, or undefined if there is none. */
function writtenTexts(texts: readonly string[], name: AntigravityEvent, input: Fields): Fields | undefined {
  if (texts.length === 0) return undefined;
  if (name === 'SessionStart') return { additionalContext: texts.join('\n') };
  if (name !== 'PreInvocation') return undefined;
  const request = isPlainObject(input['llm_request']) ? input['llm_request'] : {};
  const messages = Array.isArray(request['messages']) ? request['messages'] : [];
  return { llm_request: { messages: [...messages, ...texts.map((content) => ({ role: 'user', content }))] } };
}

/** Fields that end the loop of the agent, on any event. */
const endings = ['terminationBehavior', 'continue'];

/** Reports fields of other events. Before a tool, Antigravity denies because of them. */
function reportIneffective(fields: Fields, { name, warnings }: Reading): void {
  const { output, isGate } = factsOf(name);
  // On the other events, these fields are handled or reported where they are read.
  const handled = [...endings, ...(isGate === true ? [] : ['decision', 'reason', 'injectSteps'])];
  for (const field of Object.keys(fields)) {
    if (output.includes(field) || handled.includes(field) || fields[field] === '') continue;
    warnings.push({
      code: isGate === true ? 'reserved_field' : 'no_effect',
      message: `${field} has no effect on ${name}; it was dropped.`,
    });
  }
}
