import type { Decoded, HookDefinition, HookEvent, ReadableExit } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import type { AnswerFormat, ReadOutput } from '../../shared/output/answer-format.js';
import { answerKeywords } from '../../shared/output/answer-keywords.js';
import { decodeCommand } from '../../shared/output/decode-command.js';
import { decodeModelAnswer } from '../../shared/output/model-answer.js';
import { payloadOf } from '../input/payload.js';
import type { RelativeHost } from '../options.js';
import { dataOf } from '../settings/hook-data.js';
import { answerFields, readAnswer } from './read-answer.js';

const keywords = answerKeywords({
  decisions: [
    ['hookSpecificOutput', 'permissionDecision'],
    ['decision'],
    ['hookSpecificOutput', 'decision', 'behavior'],
    ['permissionDecision'],
  ],
  values: ['deny', 'block', 'ask', 'defer', 'allow', 'approve'],
  ownFields: ['hookSpecificOutput'],
});

/** Returns the function that converts the answer of a hook into canonical output. */
export function createDecode(hostOf: (hook: HookDefinition) => RelativeHost) {
  return (exit: ReadableExit, event: HookEvent, hook: HookDefinition): Decoded => {
    const format = formatOf(hostOf(hook));
    switch (exit.kind) {
      case 'exited':
        return decodeCommand(exit, event, hook, format);
      case 'answered':
        return decodeModelAnswer(exit.answer, hook, { isDenied, staysInLoop: hook.eventName === 'AfterAgent' });
      case 'response':
        return { failure: { code: 'internal_error', message: `${format.what} cannot end as "${exit.kind}".` }, warnings: [] };
    }
  };
}

const formats = new WeakMap<RelativeHost, AnswerFormat>();

function formatOf(host: RelativeHost): AnswerFormat {
  let format = formats.get(host);
  if (format === undefined) {
    format = createFormat(host);
    formats.set(host, format);
  }
  return format;
}

function createFormat(host: RelativeHost): AnswerFormat {
  const { agent, events, projectVariable, startsInProject } = host.product;
  const factsOf = (hook: HookDefinition) => events[dataOf(hook).event];
  return {
    what: `A hook of ${agent}`,
    words: keywords,
    read: (object, answering, rejects) => readAnswer(object, answering, rejects, host),
    received: ({ event, hook }) => payloadOf(event, dataOf(hook).event, host),
    denial: denialOf,
    isAnswer: (object) => Object.keys(object).some((field) => field === 'permissionDecision' || answerFields.includes(field)),
    ofText: (text, answering) => ofText(text, factsOf(answering.hook)?.takesText === true),
    takesOtherJsonAsText: true,
    rejects: (hook) => factsOf(hook)?.rejects === true,
    relativePaths: startsInProject
      ? 'a relative path starts in the project'
      : `a relative path starts in the hook's working directory. For a file of the project, begin the path with "$${projectVariable}"`,
  };
}

/** Returns an example of an object that denies on the event of this hook. */
function denialOf(hook: HookDefinition): string {
  if (hook.eventName !== 'BeforeTool') return '{ "decision": "block", "reason": "…" }';
  return '{ "hookSpecificOutput": { "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…" } }';
}

/** Returns the output for plain text on stdout: on some events it is context for the model, on the others it has no effect. */
function ofText(text: string, isContext: boolean): Partial<ReadOutput> {
  return isContext ? { output: { hookSpecificOutput: { additionalContext: text } } } : {};
}

/** Tests whether a model denies in the fields of commands. A model that asks does not allow, so an ask is a deny too. */
function isDenied(judged: Readonly<Record<string, unknown>>): boolean {
  const specific = isPlainObject(judged['hookSpecificOutput']) ? judged['hookSpecificOutput'] : {};
  const said = [judged['decision'], judged['permissionDecision'], specific['permissionDecision'], specific['decision']];
  const words = said.map((value) => (isPlainObject(value) ? value['behavior'] : value));
  return judged['continue'] === false || words.some((word) => ['deny', 'block', 'ask', 'defer'].includes(word as string));
}
