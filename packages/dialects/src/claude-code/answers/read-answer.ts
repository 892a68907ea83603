import type { HookOutput, HookWarning } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { Answering, ReadOutput } from '../../shared/output/answer-format.js';
import type { ClaudeEvent } from '../input/event-table.js';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { toHostInput } from '../tools/tool-call.js';
import { answeredDecision } from './decision.js';
import { answerFields } from './fields.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields of `hookSpecificOutput` that are what they are here as well. */
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

/** A printed object as a canonical output (the sheet's "To canonical"). */
export function readAnswer(printed: Fields, { event, hook }: Answering, rejects: boolean, host: ClaudeHost): ReadOutput {
  const name = dataOf(hook).event;
  const warnings: HookWarning[] = [];
  const { top, specific } = answerFields(printed, name, warnings);
  const decided = withRefusal(answeredDecision(top, specific, name, warnings), specific);
  const { decision, stops } = decided;
  // Why something was allowed is no reason of a rejection.
  const reason = rejects && decision === 'allow' ? (top['reason'] as string | undefined) : decided.reason;
  if (top['terminalSequence'] !== undefined) {
    warnings.push({
      code: 'no_effect',
      message: 'terminalSequence has no effect here: what a hook prints never reaches a terminal as it is.',
    });
  }
  const stopReason = top['stopReason'] ?? (stops ? reason : undefined);
  const fields = { ...canonicalFields(specific, name, event.input, host), ...messageFor(top['systemMessage']) };
  const output = {
    ...(stops ? { continue: false } : pick(top, 'continue')),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(decision === undefined ? {} : { decision }),
    ...(reason === undefined ? {} : { reason }),
    ...(Object.keys(fields).length === 0 ? {} : { hookSpecificOutput: fields }),
  };
  return { output: output as HookOutput, warnings };
}

/** For the user alone (decision 65). */
export function messageFor(text: unknown): { userMessage?: string } {
  return typeof text === 'string' && text !== '' ? { userMessage: text } : {};
}

/** Who declines a form that a server asks for keeps it from the user. */
function withRefusal(decided: ReturnType<typeof answeredDecision>, { action }: Fields): ReturnType<typeof answeredDecision> {
  const isRefused = (action === 'decline' || action === 'cancel') && decided.decision !== 'deny';
  return isRefused ? { reason: `The hook answered with "${action}".`, ...decided, decision: 'deny' } : decided;
}

function canonicalFields(specific: Fields, event: ClaudeEvent, input: Fields, host: ClaudeHost): Fields {
  const decided = event === 'PermissionRequest' && isPlainObject(specific['decision']) ? specific['decision'] : {};
  const updatedInput = specific['updatedInput'] ?? decided['updatedInput'];
  const result = specific['updatedToolOutput'] ?? specific['updatedMCPToolOutput'];
  return {
    ...Object.assign({}, ...sameFields.map((field) => pick(specific, field))),
    ...(isPlainObject(updatedInput) ? { updatedInput: toHostInput(updatedInput, input, host) } : {}),
    ...pick(decided, 'updatedPermissions'),
    ...(result === undefined ? {} : { updatedToolOutput: toolOutput(result) }),
  };
}

/** A result in our form, or its text: an object of another form would leave the model with nothing where something was taken out. */
function toolOutput(result: unknown): unknown {
  if (typeof result === 'string' || (isPlainObject(result) && result['llmContent'] !== undefined)) return result;
  return contentText(result) ?? JSON.stringify(result);
}

/** The text of what an MCP server gives back: the parts of a list that are text, alone or in an object; undefined where there is none. */
export function contentText(result: unknown): string | undefined {
  const parts = isPlainObject(result) ? result['content'] : result;
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.flatMap((part) =>
    isPlainObject(part) && part['type'] === 'text' && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

function pick(fields: Fields, name: string): Fields {
  return Object.hasOwn(fields, name) && fields[name] !== undefined ? { [name]: fields[name] } : {};
}
