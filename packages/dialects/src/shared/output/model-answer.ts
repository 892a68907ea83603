import { type Decoded, describeHook, type HookDefinition } from '@tenterhook/protocol';
import { hookLabel } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { formatValue } from '../text.js';
import { parseJson } from './json/json-objects.js';

type Fields = Readonly<Record<string, unknown>>;

/** What the judgement of a model means in a format. */
export interface ModelAnswerFormat {
  /** Tests whether an object denies in the fields of the format's command hooks. */
  isDenied(object: Fields): boolean;
  /** Fields of the format's command hooks with the reason of a deny. @default none */
  readonly reasonFields?: readonly string[];
  /** True if a deny makes the agent continue. It then continues for ever if it can never meet the condition of the model. */
  readonly staysInLoop: boolean;
}

/**
 * Reads the judgement of a model: `{ ok, reason, impossible }`, or a text that contains this object. Any other answer is a failure of the
 * hook, because the model has neither allowed nor denied.
 */
export function decodeModelAnswer(answer: unknown, hook: HookDefinition, format: ModelAnswerFormat): Decoded {
  const { isDenied, reasonFields = [], staysInLoop } = format;
  const judged = typeof answer === 'string' ? parseObjectIn(answer) : answer;
  // A model may also answer with the fields of command hooks. Tenterhook obeys a deny in them (decision 68).
  if (isPlainObject(judged) && judged['ok'] !== false && isDenied(judged)) {
    const specific = isPlainObject(judged['hookSpecificOutput']) ? judged['hookSpecificOutput'] : {};
    const own = ['reason', 'permissionDecisionReason', ...reasonFields].map((field) => judged[field]);
    const reason = [...own, specific['permissionDecisionReason'], judged['stopReason']].find((one) => one !== undefined && one !== null);
    const message =
      'The model answered with a decision in another form; Tenterhook treats it as "deny". Write into the prompt that the model must answer { "ok": false, "reason": "…" }.';
    return {
      output: { decision: 'deny', ...(typeof reason === 'string' ? { reason } : {}) },
      warnings: [{ code: 'deny_counted', message }],
    };
  }
  if (!isPlainObject(judged) || typeof judged['ok'] !== 'boolean') {
    const message = `${describeHook(hook)} failed: the answer of its model must be { "ok": true } or { "ok": false, "reason": "…" }, and is ${formatValue(answer)}.`;
    return { failure: { code: 'not_an_object', message }, warnings: [] };
  }
  if (judged['ok']) return { warnings: [] };
  const { reason: said, impossible } = judged;
  const reason = typeof said === 'string' && said !== '' ? said : `Hook "${hookLabel(hook)}" answered { "ok": false } without a reason.`;
  if (impossible === true && staysInLoop) return { output: { hookSpecificOutput: { userMessage: reason } }, warnings: [] };
  return { output: { decision: 'deny', reason }, warnings: [] };
}

/** Returns the object in the text of a model. The object is often in a code fence, or after a sentence. */
function parseObjectIn(text: string): unknown {
  const whole = parseJson(text.trim());
  if (whole.ok) return whole.value;
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')];
  const inner = first === -1 || last < first ? undefined : parseJson(text.slice(first, last + 1));
  return inner?.ok ? inner.value : undefined;
}
