import { type Decoded, describeHook, hookLabel } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answering } from '../../shared/output/answer-format.js';
import { parseJson } from '../../shared/output/json-objects.js';
import { formatValue } from '../../shared/text.js';
import { dataOf } from '../settings/hook-data.js';
import { counted } from './decision.js';
import { objectionIn } from './stray-objection.js';

/**
 * The judgement of a model, `{ ok, reason, impossible }`, or a text that holds it. What is no judgement is a failure of the hook: a model that
 * chats has neither allowed nor denied.
 */
export function decodeModelAnswer(answer: unknown, { hook }: Answering): Decoded {
  const judged = typeof answer === 'string' ? objectIn(answer) : answer;
  // An objection in the words of other handlers is one all the same (decision 68).
  if (isPlainObject(judged) && judged['ok'] !== false && objectsOtherwise(judged)) {
    const specific = isPlainObject(judged['hookSpecificOutput']) ? judged['hookSpecificOutput'] : {};
    const reason = judged['reason'] ?? judged['permissionDecisionReason'] ?? specific['permissionDecisionReason'] ?? judged['stopReason'];
    const warnings = [counted('deny', 'A model answers { "ok": false, "reason": "…" }, and not with a decision')];
    return { output: { decision: 'deny', ...(typeof reason === 'string' ? { reason } : {}) }, warnings };
  }
  if (!isPlainObject(judged) || typeof judged['ok'] !== 'boolean') {
    const message = `${describeHook(hook)} was answered with ${formatValue(answer)}, which is no judgement; expected is { "ok": false, "reason": "…" }.`;
    return { failure: { code: 'not_an_object', message }, warnings: [] };
  }
  if (judged['ok']) return { warnings: [] };
  const { reason: said, impossible } = judged;
  const reason =
    typeof said === 'string' && said !== '' ? said : `Hook "${hookLabel(hook)}" judged that it should not be done, and gave no reason.`;
  // What can never be reached must not keep the agent going.
  if (impossible === true && ['Stop', 'SubagentStop'].includes(dataOf(hook).event))
    return { output: { hookSpecificOutput: { userMessage: reason } }, warnings: [] };
  return { output: { decision: 'deny', reason }, warnings: [] };
}

/** Models put what they were asked for into a fence, or a sentence before it. */
function objectIn(text: string): unknown {
  const whole = parseJson(text.trim());
  if (whole.ok) return whole.value;
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  const inner = first === -1 || last < first ? undefined : parseJson(text.slice(first, last + 1));
  return inner?.ok ? inner.value : undefined;
}

function objectsOtherwise(judged: Readonly<Record<string, unknown>>): boolean {
  const specific = judged['hookSpecificOutput'];
  const isDenied = judged['decision'] === 'block' || judged['decision'] === 'deny' || judged['continue'] === false;
  return isDenied || objectionIn(judged) === 'deny' || (isPlainObject(specific) && objectionIn(specific) === 'deny');
}
