import {
  type Dialect,
  type HookDefinition,
  type HookOutput,
  type HookWarning,
  hookLabel,
  hookOutputSchema,
  stricter,
  verdictOf,
} from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, Answering, ReadOutput } from '../shared/output/answer-format.js';
import { decidesElsewhere } from '../shared/output/answer-words.js';
import { decodeCommand } from '../shared/output/decode-command.js';
import { knownFields } from '../shared/output/known-fields.js';
import { fieldTable } from './known-fields.js';
import { withMessageAsReason } from './message-as-reason.js';
import type { GeminiHost } from './options.js';
import { writtenInput } from './tool-input.js';
import { words } from './words.js';

type Fields = Readonly<Record<string, unknown>>;
type Read = (printed: Fields, answering: Answering) => ReadOutput;

const answers: Omit<AnswerFormat, 'read'> = {
  what: 'A hook of Gemini CLI',
  words,
  // Logs may well be lines of JSON; one that stands alone is an answer all the same, as it is to Gemini CLI.
  isAnswer: (object) => Object.keys(object).some((field) => Object.hasOwn(hookOutputSchema.shape, field)),
  // Without a decision, where Gemini CLI takes it for an allow: a hook that logs must not overrule a deny.
  ofText: (text) => ({ output: { systemMessage: text } }),
  // Where Gemini CLI and its documentation differ on whether an output blocks, it does.
  readsStderr: true,
  objectsCountOnFailure: true,
  textDenies: (exitCode) => exitCode > 2,
  relativePaths: `a relative one counts from the hook's working directory, "$GEMINI_PROJECT_DIR"/… from the project's`,
};

/** Exit code, stdout and stderr to one output, with what a deny does in this product beside denying. */
export function createDecode(host: GeminiHost): Dialect['decode'] {
  const format: AnswerFormat = { ...answers, read: createRead(host) };
  return (exit, event, hook) => {
    const decoded = decodeCommand(exit, event, hook, format);
    if (verdictOf(decoded.output?.decision) !== 'deny') return decoded;
    return { ...decoded, output: denied(decoded.output as HookOutput, hook) };
  };
}

/** What was denied after it had happened is taken away: a result is replaced by the reason (decision 63), an answer by none (decision 67). */
export function denied(output: HookOutput, hook: HookDefinition): HookOutput {
  switch (hook.eventName) {
    case 'AfterTool': {
      const reason = output.reason || `Hook "${hookLabel(hook)}" took this result away and gave no reason.`;
      return { ...output, reason, hookSpecificOutput: { ...output.hookSpecificOutput, updatedToolOutput: reason } };
    }
    case 'AfterModel':
      return { ...output, hookSpecificOutput: { ...output.hookSpecificOutput, llm_response: { text: '', candidates: [] } } };
    default:
      return output;
  }
}

function createRead(host: GeminiHost): Read {
  return (printed, { event: { eventName, input } }) => {
    const { object, warnings: of } = withMessageAsReason(printed);
    const { output, warnings } = knownFields(object, eventName, fieldTable);
    const read = withPermission({ output: withHostKeys(output, input, host), warnings: [...warnings, ...of] });
    const kind = verdictOf(read.output.decision);
    const { clearContext, tailToolCallRequest } = read.output.hookSpecificOutput ?? {};
    const more: HookWarning[] = [];
    // Said by one hook it counts, so that another one's "false" must not be the last word.
    if (clearContext === false) delete read.output.hookSpecificOutput?.['clearContext'];
    if (tailToolCallRequest !== undefined) {
      more.push({ code: 'no_effect', message: 'tailToolCallRequest is handed on to the agent, and nothing else makes that call.' });
    }
    // Whoever prints another agent's decision means something by it; the field of this format was looked at above.
    const { decision: _own, ...elsewhere } = object;
    const isSaid = kind === 'deny' || kind === 'ask' || read.warnings.some(({ code }) => code === 'other_spelling');
    if (!isSaid && decidesElsewhere(elsewhere)) {
      more.push(decidedElsewhere);
      // Beside a word against it no word for it counts.
      delete read.output.decision;
    }
    if (eventName !== 'BeforeTool' && kind === 'ask') {
      more.push({ code: 'ask_counted', message: `Gemini CLI asks nobody on ${eventName}; "ask" counts here all the same.` });
    }
    return { output: read.output, warnings: [...read.warnings, ...more] };
  };
}

function withHostKeys(output: HookOutput, input: Fields, host: GeminiHost): HookOutput {
  const written = output.hookSpecificOutput?.['tool_input'];
  if (!isPlainObject(written)) return output;
  const toolInput = writtenInput(written, input, host);
  return { ...output, hookSpecificOutput: { ...output.hookSpecificOutput, tool_input: toolInput } };
}

const decidedElsewhere: HookWarning = {
  code: 'other_spelling',
  message: 'The output decides in the words of another format, which has no effect. Write { "decision": "deny" }.',
};

/** Another agent's field, which Gemini CLI does not read: an objection in it must not be lost, and an allow is none. */
function withPermission({ output, warnings }: ReadOutput): ReadOutput {
  const { permissionDecision: said, permissionDecisionReason: why, ...specific } = output.hookSpecificOutput ?? {};
  if (said === undefined && why === undefined) return { output, warnings };
  const kept: HookOutput = { ...output, hookSpecificOutput: specific };
  const kind = verdictOf(said as HookOutput['decision']);
  if (kind !== 'deny' && kind !== 'ask') {
    const message = 'hookSpecificOutput.permissionDecision is no field of this format; it was dropped. Write "decision".';
    return { output: kept, warnings: [...warnings, { code: 'reserved_field', message }] };
  }
  const own = verdictOf(output.decision);
  const wins = own !== kind && stricter(own, kind) === kind;
  const reason = wins ? (why ?? output.reason) : (output.reason ?? why);
  const message = `Gemini CLI does not read hookSpecificOutput.permissionDecision; "${kind}" counts here all the same. Write "decision".`;
  return {
    output: { ...kept, ...(wins ? { decision: kind } : {}), ...(reason === undefined ? {} : { reason: reason as string }) },
    warnings: [...warnings, { code: kind === 'deny' ? 'deny_counted' : 'ask_counted', message }],
  };
}
