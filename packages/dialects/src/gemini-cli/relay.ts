import type { RelayEffect, RelayEvent, RelayFormat } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';
import { createRelayFormat, type Saying } from '../shared/relay/create-relay-format.js';
import { decisionAnswer } from '../shared/relay/decision-answer.js';
import { namedCommandEntry } from '../shared/relay/entry.js';
import type { RelayIntent } from '../shared/relay/intent.js';
import { removedKeys } from '../shared/relay/removed-keys.js';
import { type GeminiEventName, geminiEventNames } from './input/event-table.js';

/** Events around each request to the model. They are frequent, so their entries are installed only if asked for. */
const frequent: readonly GeminiEventName[] = ['BeforeModel', 'AfterModel', 'BeforeToolSelection'];

const powers: Readonly<Record<GeminiEventName, readonly RelayEffect[]>> = {
  BeforeTool: ['deny', 'ask', 'allow', 'stop', 'input', 'context', 'user'],
  AfterTool: ['deny', 'stop', 'result', 'context', 'user'],
  BeforeAgent: ['deny', 'stop', 'context', 'user'],
  AfterAgent: ['deny', 'stop', 'user'],
  BeforeModel: ['deny', 'stop', 'model', 'user'],
  AfterModel: ['deny', 'stop', 'model', 'user'],
  BeforeToolSelection: ['tools', 'user'],
  SessionStart: ['context', 'user'],
  SessionEnd: ['user'],
  PreCompress: ['user'],
  Notification: ['user'],
};

const events: Readonly<Record<string, RelayEvent>> = Object.fromEntries(
  geminiEventNames.map((name) => [name, { eventName: name, install: frequent.includes(name) ? 'asked' : 'always', powers: powers[name] }]),
);

/** The way back: Gemini CLI starts Tenterhook as its hook. */
export const relay: RelayFormat = createRelayFormat({
  agent: 'Gemini CLI',
  afterInstall: 'Restart Gemini CLI. It warns once about the new hooks.',
  unattended: ['Without a terminal there is no prompt. Gemini CLI decides what an ask then means. It runs hooks only in trusted folders.'],
  events,
  entry: namedCommandEntry,
  isNeutral: isUnfinished,
  unwritable: (intent, heard) => removedKeys(intent, heard, 'Gemini CLI'),
  // Always an object, and nothing on stderr: if stdout is blank, Gemini CLI reads stderr.
  write: (saying) => ({ answer: decisionAnswer({ ...saying, intent: withObeyedAnswer(saying) }), stderr: '' }),
});

/**
 * Writes the answer of the model so that Gemini CLI uses it. Before the model, Gemini CLI reads such an answer only beside a deny, and calls the
 * model if the answer has no candidates. After the model, a deny ends the turn but shows the answer nevertheless, and so does an answer without
 * any part. So a text is written in place of the answer.
 */
function withObeyedAnswer({ eventName, intent }: Saying): RelayIntent {
  const response = intent.model?.['llm_response'];
  if (eventName === 'AfterModel' && intent.kind === 'deny')
    return { ...withAnswer(intent, {}, [candidateOf(intent.reason)]), kind: 'none', reason: '' };
  if (!isPlainObject(response)) return intent;
  const candidates = Array.isArray(response['candidates']) ? response['candidates'].flatMap(withParts) : [candidateOf(response['text'])];
  if (eventName === 'AfterModel') {
    const [first] = candidates;
    const isRemoved = first === undefined || first.content.parts.length === 0;
    return withAnswer(intent, response, isRemoved ? [candidateOf('A hook removed this answer.')] : candidates);
  }
  const answered = withAnswer(intent, response, candidates);
  return intent.kind === 'deny' ? answered : { ...answered, kind: 'deny', reason: 'A hook answered in place of the model.' };
}

function withAnswer(intent: RelayIntent, response: Readonly<Record<string, unknown>>, candidates: readonly Candidate[]): RelayIntent {
  return { ...intent, model: { ...intent.model, llm_response: { ...response, candidates } } };
}

interface Candidate {
  readonly content: { readonly role?: unknown; readonly parts: readonly unknown[] };
}

function candidateOf(text: unknown): Candidate {
  return { content: { role: 'model', parts: typeof text === 'string' ? [text] : [] }, finishReason: 'STOP' } as Candidate;
}

/** Gemini CLI throws for a candidate without a list of parts, and then calls the model. */
function withParts(candidate: unknown): Candidate[] {
  if (!isPlainObject(candidate)) return [];
  const content = isPlainObject(candidate['content']) ? candidate['content'] : { role: 'model' };
  const { parts } = content;
  return [{ ...candidate, content: { ...content, parts: Array.isArray(parts) ? parts : [] } }];
}

/** Tests for a chunk of a streamed answer. Only the last chunk has a reason why the model finished. */
function isUnfinished(event: string, { llm_response: response }: Readonly<Record<string, unknown>>): boolean {
  if (event !== 'AfterModel' || !isPlainObject(response)) return false;
  const { candidates } = response;
  return (
    !Array.isArray(candidates) || !candidates.some((candidate) => isPlainObject(candidate) && typeof candidate['finishReason'] === 'string')
  );
}
