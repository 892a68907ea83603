import { type Decoded, describeHook, type HookDefinition, type HookEvent, type ReadableExit, verdictOf } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, Answering, ReadOutput } from '../../shared/output/answer-format.js';
import { answerKeywords } from '../../shared/output/answer-keywords.js';
import { decodeCommand } from '../../shared/output/decode-command.js';
import { decodeResponse } from '../../shared/output/http-answer.js';
import { parseJson } from '../../shared/output/json/json-objects.js';
import { decodeModelAnswer } from '../../shared/output/model-answer.js';
import { printedByTool } from '../../shared/output/tool-answer.js';
import { factsOf } from '../input/event-table.js';
import { payloadOf } from '../input/payload.js';
import type { ClaudeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { findObjection } from './decision.js';
import { isAnswer } from './fields.js';
import { readAnswer, toUserMessage } from './read-answer.js';

/**
 * Returns the function that converts the answer of a hook into canonical output. The answer may come from a command, an HTTP
 * server, an MCP tool or a model.
 */
export function createDecode(hostOf: (hook: HookDefinition) => ClaudeHost) {
  const format: AnswerFormat = {
    what: 'A Claude Code hook',
    words: answerKeywords({
      decisions: [['hookSpecificOutput', 'permissionDecision'], ['decision'], ['hookSpecificOutput', 'decision', 'behavior']],
      values: ['deny', 'block', 'ask', 'defer', 'allow', 'approve'],
      ownFields: ['hookSpecificOutput'],
    }),
    read: (object, answering, rejects) => readAnswer(object, answering, rejects, hostOf(answering.hook)),
    received: ({ event, hook }) => payloadOf(event, dataOf(hook).event, hostOf(hook)),
    denial: denialOf,
    isAnswer,
    ofText,
    takesOtherJsonAsText: true,
    rejects: (hook) => factsOf(dataOf(hook).event).rejects !== undefined,
    failureDenies: (hook) => factsOf(dataOf(hook).event).rejects === 'any',
    objectsCountOnFailure: true,
    relativePaths: `a relative path starts in the hook's working directory. For a file of the project, begin the path with "$CLAUDE_PROJECT_DIR"`,
  };
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    switch (exit.kind) {
      case 'exited':
        return withFailedCreation(decodeCommand({ ...exit, stdout: withoutAsyncLine(exit.stdout, hook) }, event, hook, format), exit, hook);
      case 'response':
        return decodeResponse(exit, { event, hook }, format);
      case 'answered':
        return decodeAnswer(exit, event, hook, format);
    }
  };
}

/** Returns an example of an object that denies on the event of this hook. */
function denialOf(hook: HookDefinition): string {
  const { event } = dataOf(hook);
  if (event !== 'PreToolUse') return '{ "decision": "block" }';
  return '{ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "deny" } }';
}

/**
 * Removes the first line if it is `{"async": true}`. A command prints this line to detach itself, so it is not part of the answer.
 * For a hook that may not detach itself, the line is ordinary text.
 */
function withoutAsyncLine(stdout: string, { async, mayDetach }: HookDefinition): string {
  if (!async && !mayDetach) return stdout;
  const end = stdout.indexOf('\n');
  const line = end === -1 ? stdout : stdout.slice(0, end);
  if (!/^\s*\{.*"async"/.test(line)) return stdout;
  const parsed = parseJson(line.trim());
  if (!parsed.ok || !isPlainObject(parsed.value) || parsed.value['async'] !== true) return stdout;
  // A line with further fields is an answer, not only a request to detach.
  return Object.keys(parsed.value).every((field) => field === 'async' || field === 'asyncTimeout') ? stdout.slice(line.length) : stdout;
}

/**
 * Returns the output for plain text on stdout. On some events the text is context for the model. On the other events the user reads
 * it (decision 65).
 */
function ofText(text: string, { hook }: Answering): Partial<ReadOutput> {
  const { event } = dataOf(hook);
  if (event === 'WorktreeCreate') return { output: { hookSpecificOutput: { worktreePath: text } } };
  return { output: { hookSpecificOutput: factsOf(event).takesText ? { additionalContext: text } : toUserMessage(text) } };
}

/** On WorktreeCreate, every exit code except 0 denies. Otherwise the agent would use a worktree that does not exist. */
function withFailedCreation(
  decoded: Decoded,
  { exitCode, stderr }: Extract<ReadableExit, { kind: 'exited' }>,
  hook: HookDefinition,
): Decoded {
  const isDenied = verdictOf(decoded.output?.decision) === 'deny';
  if (exitCode === 0 || isDenied || factsOf(dataOf(hook).event).rejects !== 'any') return decoded;
  const { failure, warnings } = decoded;
  const reason = stderr.trim() || failure?.message || `${describeHook(hook)} ended with exit code ${exitCode}.`;
  return { output: { decision: 'deny', reason }, warnings: [...(failure === undefined ? [] : [failure]), ...warnings] };
}

/**
 * Reads the answer of an MCP tool or a model. The text of an MCP tool has the format of a command's output. A model answers with `{
 * ok, reason }`.
 */
function decodeAnswer(
  exit: Extract<ReadableExit, { kind: 'answered' }>,
  event: HookEvent,
  hook: HookDefinition,
  format: AnswerFormat,
): Decoded {
  const { runs } = dataOf(hook);
  if (runs.kind !== 'host' || runs.type !== 'mcp_tool')
    return decodeModelAnswer(exit.answer, hook, { isDenied, staysInLoop: loopEvents.has(dataOf(hook).event) });
  const printed = printedByTool(exit, hook);
  return printed.kind === 'exited' ? decodeCommand(printed, event, hook, format) : printed.failed;
}

/** The events on which a deny makes the agent continue. */
const loopEvents: ReadonlySet<string> = new Set(['Stop', 'SubagentStop']);

function isDenied(judged: Readonly<Record<string, unknown>>): boolean {
  const specific = judged['hookSpecificOutput'];
  const isTop = judged['decision'] === 'block' || judged['decision'] === 'deny' || judged['continue'] === false;
  return isTop || findObjection(judged) === 'deny' || (isPlainObject(specific) && findObjection(specific) === 'deny');
}
