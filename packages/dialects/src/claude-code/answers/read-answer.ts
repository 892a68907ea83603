import type { HookOutput, HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { toToolOutput } from '../../shared/tool-response.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { toHostInput } from '../tools/tool-call.js';
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
  // If exit code 2 denies although the printed decision is an allow, the reason of that allow must not become the reason of the deny.
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

/** `userMessage` is shown to the user, not passed to the model (decision 65). */
export function toUserMessage(text: unknown): { userMessage?: string } {
  return typeof text === 'string' && text !== '' ? { userMessage: text } : {};
}

/** A hook can answer an MCP server's form with "decline" or "cancel". The form is then not shown, so the answer is read as a deny. */
function withRefusal(decided: ReturnType<typeof readDecision>, { action }: Fields): ReturnType<typeof readDecision> {
  const isRefused = (action === 'decline' || action === 'cancel') && decided.decision !== 'deny';
  return isRefused ? { reason: `The hook answered with "${action}".`, ...decided, decision: 'deny' } : decided;
}

function toCanonicalFields(specific: Fields, event: ClaudeEvent, input: Fields, host: ClaudeHost): Fields {
  const decided = event === 'PermissionRequest' && isPlainObject(specific['decision']) ? specific['decision'] : {};
  const updatedInput = specific['updatedInput'] ?? decided['updatedInput'];
  const result = specific['updatedToolOutput'] ?? specific['updatedMCPToolOutput'];
  return {
    ...Object.assign({}, ...sameFields.map((field) => pick(specific, field))),
    ...(isPlainObject(updatedInput) ? { updatedInput: toHostInput(updatedInput, input, host) } : {}),
    ...pick(decided, 'updatedPermissions'),
    ...(result === undefined ? {} : { updatedToolOutput: toToolOutput(result) }),
  };
}

function pick(fields: Fields, name: string): Fields {
  return Object.hasOwn(fields, name) && fields[name] !== undefined ? { [name]: fields[name] } : {};
}
