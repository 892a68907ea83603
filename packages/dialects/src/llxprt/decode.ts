import {
  type Decoded,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookOutput,
  type ReadableExit,
  stricter,
  verdictOf,
} from '@tenterhook/protocol';
import type { AnswerFormat, ReadOutput } from '../shared/output/answer-format.js';
import { answerWords } from '../shared/output/answer-keywords.js';
import { decodeCommand } from '../shared/output/decode-command.js';
import { knownFields } from './known-fields.js';

const format: AnswerFormat = {
  what: 'An LLxprt hook',
  words: answerWords({
    decisions: [['decision'], ['hookSpecificOutput', 'permissionDecision']],
    values: ['deny', 'block', 'ask', 'allow', 'approve'],
    ownFields: ['hookSpecificOutput'],
  }),
  read: (object, { event: { eventName } }) => withCompatibleDecision(knownFields(object, eventName), eventName),
  // Without a decision: a hook that logs must not overrule a deny (decision 5).
  ofText: (text) => ({ output: { systemMessage: text }, warnings: [] }),
  relativePaths: `a relative one counts from the hook's working directory, "$LLXPRT_PROJECT_DIR"/… from the project's`,
};

/** Exit code, stdout and stderr to one output, or to "no opinion" (decisions 3 to 8). */
export function decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded {
  return decodeCommand(exit, event, hook, format);
}

/** `permissionDecision` is the hook's own decision under an older name; of the two the stricter counts (decision 10). */
function withCompatibleDecision(read: ReadOutput, eventName: HookEventName): ReadOutput {
  const specific = read.output.hookSpecificOutput;
  if (eventName !== 'BeforeTool' || specific?.['permissionDecision'] === undefined) return read;
  const permission = specific['permissionDecision'] as NonNullable<HookOutput['decision']>;
  const own = verdictOf(read.output.decision);
  const wins = own !== verdictOf(permission) && stricter(own, verdictOf(permission)) === verdictOf(permission);
  const permissionReason = specific['permissionDecisionReason'] as string | undefined;
  const reason = wins ? (permissionReason ?? read.output.reason) : (read.output.reason ?? permissionReason);
  const output: HookOutput = { ...read.output, ...(wins ? { decision: permission } : {}), ...(reason === undefined ? {} : { reason }) };
  return { output, warnings: read.warnings };
}
