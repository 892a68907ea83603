import type { HookOutput, HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answering, ReadOutput } from '../../shared/output/answer-format.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { callOfInput, toHostInput } from '../tools/tool-call.js';
import { toCanonicalResult } from '../tools/tool-result.js';
import { readDecision } from './decision.js';
import { readFields } from './fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of `hookSpecificOutput` that have the same name and meaning in the canonical output. */
const sameFields = [
  'additionalContext',
  'classifierContext',
  'sessionTitle',
  'suppressOriginalPrompt',
  'initialUserMessage',
  'watchPaths',
  'reloadSkills',
  'retry',
  'displayContent',
  'worktreePath',
  'action',
  'content',
] as const;

/** Converts a printed object into canonical output. */
export function readAnswer(printed: Fields, { event, hook }: Answering, rejects: boolean, host: ClaudeHost): ReadOutput {
  const name = dataOf(hook).event;
  const warnings: HookWarning[] = [];
  const { top, specific } = readFields(printed, name, warnings);
  const decided = withRefusal(readDecision(top, specific, name, warnings), specific);
  const { decision, stops } = decided;
  // With exit code 2 the hook denies, even if it printed an allow. The reason for the allow must not become the reason for the
  // deny.
  const reason = rejects && decision === 'allow' ? (top['reason'] as string | undefined) : decided.reason;
  if (top['terminalSequence'] !== undefined) {
    warnings.push({
      code: 'no_effect',
      message: 'terminalSequence has no effect in Tenterhook: the output of a hook is always escaped before it reaches a terminal.',
    });
  }
  const stopReason = top['stopReason'] ?? (stops ? reason : undefined);
  const fields = { ...toCanonicalFields(specific, name, event.input, host), ...toUserMessage(top['systemMessage']) };
  const output = {
    ...(stops ? { continue: false } : pick(top, 'continue')),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...(Object.keys(fields).length === 0 ? {} : { hookSpecificOutput: fields }),
  };
  return { output: output as HookOutput, warnings };
}

/** Returns a text as `userMessage`. The user reads it, but the model does not (decision 65). */
export function toUserMessage(text: unknown): { userMessage?: string } {
  return typeof text === 'string' && text !== '' ? { userMessage: text } : {};
}

/** Reads the answer to a form of an MCP server. "decline" and "cancel" become a deny: the user does not see the form. */
function withRefusal(decided: ReturnType<typeof readDecision>, { action }: Fields): ReturnType<typeof readDecision> {
  const isRefused = (action === 'decline' || action === 'cancel') && decided.decision !== 'deny';
  return isRefused ? { reason: `The hook answered with "${action}".`, ...decided, decision: 'deny' } : decided;
}

function toCanonicalFields(specific: Fields, event: ClaudeEvent, input: Fields, host: ClaudeHost): Fields {
  const decided = event === 'PermissionRequest' && isPlainObject(specific['decision']) ? specific['decision'] : {};
  const updatedInput = specific['updatedInput'] ?? decided['updatedInput'];
  const written = specific['updatedToolOutput'] ?? specific['updatedMCPToolOutput'];
  // Hooks of PostToolUseFailure receive the error instead of the result, so there is no result to compare with.
  const shown = event === 'PostToolUse' ? input['tool_response'] : undefined;
  const result = written === undefined ? undefined : toCanonicalResult(written, callOfInput(input, host), shown);
  return {
    ...Object.assign({}, ...sameFields.map((field) => pick(specific, field))),
    ...(isPlainObject(updatedInput) ? { updatedInput: toHostInput(updatedInput, input, host) } : {}),
    ...pick(decided, 'updatedPermissions'),
    ...(result === undefined ? {} : { updatedToolOutput: result }),
  };
}

function pick(fields: Fields, name: string): Fields {
  return Object.hasOwn(fields, name) && fields[name] !== undefined ? { [name]: fields[name] } : {};
}
