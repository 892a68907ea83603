import type { PreCompressInput, SessionEndInput, SessionStartInput } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, nearestName } from '@tenterhook/runtime/text';
import type { ModelCall, ResponseToReview } from './model/model-call.js';
import type { ModelStreamCall } from './model/stream-model-with-hooks.js';
import type { Compression, SessionStartOptions } from './session/session-events.js';
import type { ReviewedToolCall, ReviewedToolRun } from './tool/reviewed-tool-call.js';
import type { ToolCall, ToolCallToReview } from './tool/tool-call.js';
import type { AnswerOptions } from './turn/review-answer-with-hooks.js';
import type { AgentTurn } from './turn/run-agent-turn-with-hooks.js';

/** What a field of a call must be, and whether it is required. */
interface Rule {
  readonly expected: string;
  isValid(value: unknown): boolean;
  /**
   * `value` means that the field must have a value. `field` means that it must be present, but may be undefined, because the model may
   * supply its value.
   * @default the field is optional
   */
  readonly isRequired?: 'value' | 'field';
}

/** The rules for all fields of a call. They are checked before any event is fired. */
type Rules<Call> = Readonly<Record<keyof Call, Rule>>;

/** Any value is accepted here, because the value may come from the model. The event, or the function of the caller, checks it later. */
const any: Rule = { expected: 'a value', isValid: () => true };
const text: Rule = { expected: 'a string', isValid: (value) => typeof value === 'string' };
const aFunction: Rule = { expected: 'a function', isValid: (value) => typeof value === 'function' };
const object: Rule = { expected: 'an object', isValid: isPlainObject };
const boolean: Rule = { expected: 'true or false', isValid: (value) => typeof value === 'boolean' };
const count: Rule = { expected: 'an integer from 0', isValid: (value) => Number.isInteger(value) && Number(value) >= 0 };
/** A caller may pass the AbortController instead of its signal. The class is not checked, so that signals of other realms work too. */
const signal: Rule = { expected: 'an AbortSignal', isValid: (value) => typeof (value as AbortSignal | null)?.aborted === 'boolean' };

/** The options that every operation of an agent has. */
export const operationRules = { ask: aFunction, maxRetries: count, signal };

export const toolRules: Rules<ToolCall> = {
  // Any name and input are accepted here. The model chose them, so an invalid name or input is not a mistake of the caller. The event
  // refuses the call, and the model reads why.
  name: { expected: 'a string', isValid: () => true, isRequired: 'value' },
  input: { expected: 'the arguments of the call', isValid: () => true, isRequired: 'field' },
  execute: required(aFunction),
  toolUseId: any,
  mcpContext: any,
  schema: withFunction('a schema with a function ["~standard"].validate', ['~standard', 'validate']),
  approval: any,
  toolSelection: any,
  ...operationRules,
};

const { execute: _execute, ask: _ask, ...reviewedFields } = toolRules;

export const reviewRules: Rules<ToolCallToReview> = reviewedFields;

export const reviewedRunRules: Rules<ReviewedToolRun> = {
  execute: required(aFunction),
  answer: oneOf({ allow: true, deny: true } satisfies Record<NonNullable<ReviewedToolRun['answer']>, true>),
  rethrows: aFunction,
  signal,
};

const modelRules = {
  request: required(any),
  translator: required(withFunction('a translator, such as genAiTranslator()', ['toHookRequest'])),
  modelProvider: text,
  ...operationRules,
};

export const modelCallRules: Rules<ModelCall<unknown, unknown>> = { ...modelRules, call: required(aFunction) };

export const modelStreamRules: Rules<ModelStreamCall<unknown, unknown, unknown>> = {
  ...modelRules,
  stream: required(aFunction),
  collect: required(aFunction),
  toChunks: required(aFunction),
  afterModel: oneOf({ whole: true, passthrough: true }),
};

export const responseRules: Rules<ResponseToReview<unknown, unknown>> = {
  request: modelRules.request,
  translator: modelRules.translator,
  response: { expected: 'the response of the model', isValid: (value) => value !== null, isRequired: 'value' },
  durationMs: required({ expected: 'milliseconds from 0', isValid: (value) => Number.isFinite(value) && Number(value) >= 0 }),
  modelProvider: text,
  toolSelection: any,
  signal,
};

export const promptRules = { prompt: required(text), ...operationRules };

export const turnRules: Rules<AgentTurn> = { ...promptRules, respond: required(aFunction) };

export const answerRules: Rules<AnswerOptions> = {
  prompt: required(text),
  response: required(text),
  stopHookActive: boolean,
  loopCount: count,
  signal,
};

export const sessionStartRules: Rules<SessionStartOptions & { source: unknown }> = {
  source: oneOf({ startup: true, resume: true, clear: true, compress: true, fork: true } satisfies Record<
    SessionStartInput['source'],
    true
  >),
  model: object,
  systemPrompt: text,
  envFile: text,
  signal,
};

export const sessionEndRules = {
  reason: oneOf({ exit: true, clear: true, resume: true, logout: true, prompt_input_exit: true, other: true } satisfies Record<
    SessionEndInput['reason'],
    true
  >),
  signal,
};

export const notificationRules = { type: required(text), message: required(text), details: object, signal };

export const compressionRules: Rules<Compression<unknown>> = {
  trigger: required(oneOf({ manual: true, auto: true } satisfies Record<PreCompressInput['trigger'], true>)),
  compress: required(aFunction),
  summaryOf: aFunction,
  signal,
};

/**
 * Throws a TypeError for wrong use, before the hooks are asked. Without this check, the mistake would appear only when a user adds the
 * first hook, and a misspelt `signal` or `ask` would have no effect. Other unknown fields are accepted, because hosts may pass their own
 * objects.
 */
export function requireCall(caller: string, call: unknown, rules: Readonly<Record<string, Rule>>): void {
  if (!isPlainObject(call)) {
    throw new TypeError(`${caller}: the argument must be an object { ${Object.keys(rules).join(', ')} }, and is ${describeOption(call)}.`);
  }
  for (const field of Object.keys(call)) {
    const meant = Object.hasOwn(rules, field) ? undefined : nearestName(field, Object.keys(rules));
    if (meant !== undefined && call[meant] === undefined)
      throw new TypeError(`${caller} has no option "${field}". Did you mean "${meant}"?`);
  }
  for (const field in rules) {
    const { expected, isValid, isRequired } = rules[field] as Rule;
    const value = call[field];
    const mayBeMissing = isRequired === undefined || (isRequired === 'field' && Object.hasOwn(call, field));
    if (value === undefined ? mayBeMissing : isValid(value)) continue;
    throw new TypeError(`${caller}: "${field}" must be ${expected}, and is ${describeOption(value)}.`);
  }
}

const reviewStatuses: Readonly<Record<ReviewedToolCall['status'], true>> = {
  ready: true,
  asked: true,
  blocked: true,
  failed: true,
  stopped: true,
};

/**
 * Throws a TypeError for a value that is not the result of `reviewToolCallWithHooks`. A host may have stored the result as JSON, and a tool
 * must not run because of a file that is cut off.
 */
export function requireReviewed(caller: string, reviewed: unknown): void {
  const { status, question } = isPlainObject(reviewed) ? reviewed : {};
  const isKnown = typeof status === 'string' && Object.hasOwn(reviewStatuses, status);
  if (isKnown && (status !== 'asked' || isPlainObject(question))) return;
  throw new TypeError(`${caller}: the second argument must be a result of reviewToolCallWithHooks, and is ${describeOption(reviewed)}.`);
}

function required(rule: Rule): Rule {
  return { ...rule, isRequired: 'value' };
}

function oneOf(values: Readonly<Record<string, true>>): Rule {
  const expected = Object.keys(values)
    .map((value) => `"${value}"`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1');
  return { expected, isValid: (value) => typeof value === 'string' && Object.hasOwn(values, value) };
}

function withFunction(expected: string, path: readonly string[]): Rule {
  const at = (value: unknown) => path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);
  return { expected, isValid: (value) => typeof at(value) === 'function' };
}
