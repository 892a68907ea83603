import {
  type Decoded,
  eventCatalogue,
  eventEntry,
  type HookDefinition,
  type HookEvent,
  type HookEventName,
  type HookOutput,
  type ReadableExit,
  verdictOf,
} from '@tenterhook/protocol';
import { stricter } from '@tenterhook/protocol/internal';
import { omitUndefined } from '@tenterhook/runtime/json';
import { withContextSoFar } from '../shared/input.js';
import type { AnswerFormat, ReadOutput } from '../shared/output/answer-format.js';
import { answerKeywords } from '../shared/output/answer-keywords.js';
import { decodeCommand } from '../shared/output/decode-command.js';
import { type FieldTable, knownFields } from '../shared/output/fields/known-fields.js';
import type { FieldSchema } from '../shared/output/fields/printed-fields.js';

let specificOfAll: ReadonlySet<string> | undefined;

export const fieldTable: FieldTable = {
  specificOf: (eventName) => eventEntry(eventName).specificOutput.shape as Readonly<Record<string, FieldSchema>>,
  // A getter, so that the schemas of all events are built only after a hook has printed something.
  get specificOfAll() {
    specificOfAll ??= new Set(Object.values(eventCatalogue).flatMap((entry) => Object.keys(entry.specificOutput.shape)));
    return specificOfAll;
  },
  passesUnknown: true,
};

const format: AnswerFormat = {
  what: 'An LLxprt hook',
  words: answerKeywords({
    decisions: [['decision'], ['hookSpecificOutput', 'permissionDecision']],
    values: ['deny', 'block', 'ask', 'allow', 'approve'],
    ownFields: ['hookSpecificOutput'],
  }),
  read: (object, { event: { eventName } }) => withCompatibleDecision(knownFields(object, eventName, fieldTable), eventName),
  received: ({ event }) => withContextSoFar(event, event.input),
  // Text never contains a decision: a hook that logs must not decide anything (decision 5).
  ofText: (text) => ({ output: { systemMessage: text }, warnings: [] }),
  relativePaths: `a relative path starts in the hook's working directory. For a file of the project, begin the path with "$LLXPRT_PROJECT_DIR"`,
};

/** Converts exit code, stdout and stderr into one output, which may have no decision (decisions 3 to 8). */
export function decode(exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded {
  return decodeCommand(exit, event, hook, format);
}

/**
 * Reads `permissionDecision`, an older name of the field `decision`. If both are present, the stricter decision wins (decision 10).
 */
function withCompatibleDecision(read: ReadOutput, eventName: HookEventName): ReadOutput {
  const specific = read.output.hookSpecificOutput;
  if (eventName !== 'BeforeTool' || specific?.['permissionDecision'] === undefined) return read;
  const permission = specific['permissionDecision'] as NonNullable<HookOutput['decision']>;
  const own = verdictOf(read.output.decision);
  const wins = own !== verdictOf(permission) && stricter(own, verdictOf(permission)) === verdictOf(permission);
  const permissionReason = specific['permissionDecisionReason'] as string | undefined;
  const reason = wins ? (permissionReason ?? read.output.reason) : (read.output.reason ?? permissionReason);
  return { output: { ...read.output, ...(wins ? { decision: permission } : {}), ...omitUndefined({ reason }) }, warnings: read.warnings };
}
