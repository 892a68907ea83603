import {
  type Dialect,
  eventEntry,
  type HookDefinition,
  type HookEventName,
  type HookOutput,
  type HookWarning,
  verdictOf,
} from '@tenterhook/protocol';
import { hookLabel, hookOutputSchema, stricter } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { withContextSoFar } from '../shared/input.js';
import type { AnswerFormat, Answering, ReadOutput } from '../shared/output/answer-format.js';
import { answerKeywords } from '../shared/output/answer-keywords.js';
import { decodeCommand } from '../shared/output/decode-command.js';
import { type FieldTable, knownFields } from '../shared/output/fields/known-fields.js';
import type { FieldSchema } from '../shared/output/fields/printed-fields.js';
import { geminiEvent, geminiEventNames } from './input/event-table.js';
import { toStdinFields } from './input/invocation.js';
import type { GeminiHost } from './options.js';
import { toHostInput } from './tools.js';

type Fields = Readonly<Record<string, unknown>>;

const keywords = answerKeywords({
  decisions: [['decision'], ['hookSpecificOutput', 'permissionDecision']],
  values: ['deny', 'block', 'ask', 'allow', 'approve'],
  ownFields: ['hookSpecificOutput'],
});

/** Fields that only Gemini CLI has. */
const ownFields: Readonly<Record<string, FieldSchema>> = {
  clearContext: z.boolean(),
  tailToolCallRequest: z.looseObject({ name: z.string().min(1), args: z.record(z.string(), z.unknown()).optional() }),
};

/**
 * Fields of Claude Code that hooks of Gemini CLI often print by mistake. Tenterhook obeys a deny or ask in them (decisions 66 and
 * 68).
 */
const permissionFields = ['permissionDecision', 'permissionDecisionReason'];

let specificOfAll: ReadonlySet<string> | undefined;

/** Gemini CLI silently drops unknown fields of `hookSpecificOutput`. Tenterhook drops them with a warning. */
const fieldTable: FieldTable = {
  specificOf: getSpecificFields,
  // A getter, so that the schemas of these events are built only after a hook has printed something.
  get specificOfAll() {
    specificOfAll ??= new Set(geminiEventNames.flatMap((eventName) => Object.keys(getSpecificFields(eventName))));
    return specificOfAll;
  },
  passesUnknown: false,
};

const answers: Omit<AnswerFormat, 'read'> = {
  what: 'A hook of Gemini CLI',
  words: keywords,
  // An object without a known field may be a log if other text surrounds it. As the whole of stdout it is always an answer, as in
  // Gemini CLI.
  isAnswer: (object) => Object.keys(object).some((field) => Object.hasOwn(hookOutputSchema.shape, field)),
  // Gemini CLI treats text as an allow. In Tenterhook, a hook that only logs must not allow anything.
  ofText: (text) => ({ output: { systemMessage: text } }),
  // Gemini CLI and its documentation disagree on whether some outputs on stderr block. In Tenterhook they block.
  readsStderr: true,
  objectsCountOnFailure: true,
  textDenies: (exitCode) => exitCode > 2,
  relativePaths: `a relative path starts in the hook's working directory. For a file of the project, begin the path with "$GEMINI_PROJECT_DIR"`,
};

/**
 * Returns the function that converts exit code, stdout and stderr into one output. A deny also hides the result of the tool or the
 * answer of the model, as in Gemini CLI.
 */
export function createDecode(host: GeminiHost): Dialect['decode'] {
  const format: AnswerFormat = {
    ...answers,
    read: (printed, answering) => readAnswer(printed, answering, host),
    received: ({ event }) => withContextSoFar(event, toStdinFields(event, host)),
  };
  return (exit, event, hook) => {
    const decoded = decodeCommand(exit, event, hook, format);
    const { output } = decoded;
    switch (verdictOf(output?.decision)) {
      case 'deny':
        return { ...decoded, output: denied(output as HookOutput, hook) };
      case 'allow':
        return { ...decoded, output: withoutAllow(output as HookOutput) };
      default:
        return decoded;
    }
  };
}

/**
 * Removes an allow. With an allow, a hook of Gemini CLI only states that it does not deny: the agent still asks its user before a
 * tool runs.
 */
function withoutAllow({ decision: _allow, ...output }: HookOutput): HookOutput {
  return output;
}

/**
 * Adds the effects of a deny after a tool or a model. The reason replaces the result of a tool (decision 63). The answer of a model
 * is removed (decision 67).
 */
export function denied(output: HookOutput, hook: HookDefinition): HookOutput {
  switch (hook.eventName) {
    case 'AfterTool': {
      const reason = output.reason || `Hook "${hookLabel(hook)}" hid this result without a reason.`;
      return { ...output, reason, hookSpecificOutput: { ...output.hookSpecificOutput, updatedToolOutput: reason } };
    }
    case 'AfterModel':
      return { ...output, hookSpecificOutput: { ...output.hookSpecificOutput, llm_response: { text: '', candidates: [] } } };
    default:
      return output;
  }
}

function readAnswer(printed: Fields, { event: { eventName, input } }: Answering, host: GeminiHost): ReadOutput {
  const { object, warnings: messageWarnings } = withMessageAsReason(printed);
  const { output, warnings } = knownFields(object, eventName, fieldTable);
  const read = withPermission({ output: withHostKeys(output, input, host), warnings: [...warnings, ...messageWarnings] });
  const kind = verdictOf(read.output.decision);
  const { clearContext, ...specific } = read.output.hookSpecificOutput ?? {};
  const more: HookWarning[] = [];
  // A value of false is removed, because it would overwrite the value true of another hook.
  const kept = clearContext === false ? { ...read.output, hookSpecificOutput: specific } : read.output;
  if (specific['tailToolCallRequest'] !== undefined) {
    more.push({
      code: 'no_effect',
      message: 'Tenterhook does not make the call in tailToolCallRequest. It passes the field to the agent.',
    });
  }
  if (eventName !== 'BeforeTool' && kind === 'ask') {
    more.push({ code: 'ask_counted', message: `Gemini CLI does not ask the user on ${eventName}; Tenterhook treats the answer as "ask".` });
  }
  return { output: kept, warnings: [...read.warnings, ...more] };
}

/**
 * Uses `message` as the reason of a deny or ask that has no reason. No format has this field, but some hooks print it, and without
 * a reason the model would try again.
 */
function withMessageAsReason(printed: Fields): { readonly object: Fields; readonly warnings: readonly HookWarning[] } {
  const unchanged = { object: printed, warnings: [] };
  if (keywords.objectionsOf(printed).every((objection) => objection === 'stop')) return unchanged;
  const { message, hookSpecificOutput, ...others } = printed;
  const { message: inner, ...specific }: Fields = isPlainObject(hookSpecificOutput) ? hookSpecificOutput : {};
  if (isText(others['reason']) || isText(specific['permissionDecisionReason'])) return unchanged;
  if (isText(inner)) {
    const object = { ...printed, hookSpecificOutput: specific, reason: inner };
    return { object, warnings: [messageTaken('hookSpecificOutput.message')] };
  }
  if (!isText(message)) return unchanged;
  const object = { ...others, ...(hookSpecificOutput === undefined ? {} : { hookSpecificOutput }), reason: message };
  return { object, warnings: [messageTaken('message')] };
}

function messageTaken(path: string): HookWarning {
  const message = `${path} is not a field of this format; it is used as the reason, because "reason" is missing. Write "reason".`;
  return { code: 'reserved_field', message };
}

function withHostKeys(output: HookOutput, input: Fields, host: GeminiHost): HookOutput {
  const written = output.hookSpecificOutput?.['tool_input'];
  if (!isPlainObject(written)) return output;
  return { ...output, hookSpecificOutput: { ...output.hookSpecificOutput, tool_input: toHostInput(written, input, host) } };
}

/**
 * Reads `permissionDecision`, a field of another agent that Gemini CLI ignores. Tenterhook obeys a deny or ask in it, and drops an
 * allow.
 */
function withPermission({ output, warnings }: ReadOutput): ReadOutput {
  const { permissionDecision: said, permissionDecisionReason: why, ...specific } = output.hookSpecificOutput ?? {};
  if (said === undefined && why === undefined) return { output, warnings };
  const kept: HookOutput = { ...output, hookSpecificOutput: specific };
  const kind = verdictOf(said as HookOutput['decision']);
  if (kind !== 'deny' && kind !== 'ask') {
    const message = 'hookSpecificOutput.permissionDecision is not a field of this format; it was dropped. Write "decision".';
    return { output: kept, warnings: [...warnings, { code: 'reserved_field', message }] };
  }
  const own = verdictOf(output.decision);
  const wins = own !== kind && stricter(own, kind) === kind;
  const reason = wins ? (why ?? output.reason) : (output.reason ?? why);
  const message = `Gemini CLI ignores hookSpecificOutput.permissionDecision; Tenterhook treats it as "${kind}". Write "decision".`;
  return {
    output: { ...kept, ...(wins ? { decision: kind } : {}), ...(reason === undefined ? {} : { reason: reason as string }) },
    warnings: [...warnings, { code: kind === 'deny' ? 'deny_counted' : 'ask_counted', message }],
  };
}

function getSpecificFields(eventName: HookEventName): Readonly<Record<string, FieldSchema>> {
  const own = eventEntry(eventName).specificOutput.shape;
  const shape = { ...eventEntry('BeforeTool').specificOutput.shape, ...own } as Readonly<Record<string, FieldSchema>>;
  const names = ['hookEventName', ...geminiEvent(eventName).outputs, ...permissionFields];
  return Object.fromEntries(names.map((name) => [name, (ownFields[name] ?? shape[name]) as FieldSchema]));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
