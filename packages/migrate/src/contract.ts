import type { HookEventName } from '@tenterhook/protocol';
import { type ContractTopic, type ContractTopicName, contractTopics } from './contract-topics.js';
import type { HookLoss, PortableHook } from './portable/portable-hook.js';

/** What no migration of settings changes: a script reads and prints the words of its agent. */
export interface HookContract {
  readonly topics: Readonly<Record<ContractTopicName, string>>;
  /** Events on which a block, by an answer or by exit code 2, has an effect. */
  readonly blocks: readonly HookEventName[];
  /** Events on which a block replaces the result that the model would have read. */
  readonly redacts: readonly HookEventName[];
  /** Whether text with an exit code above 2 denies, and is no failure. */
  readonly otherCodesDeny: boolean;
  /** Values of `decision` at the top of an answer that count in the product. */
  readonly decisions: readonly string[];
  /** Words of the format that a script, or a command, may hold: keys of stdin, fields of answers, variables. */
  readonly words: readonly string[];
  /** What it calls its own tools. */
  readonly tools: readonly string[];
}

/** An agent, and what it promises its scripts. */
export interface AgentContract {
  /** What people call the agent: `Claude Code`. */
  readonly agent: string;
  readonly contract: HookContract;
}

/** Something that scripts of two agents do in different ways. */
export interface ContractDifference {
  readonly topic: ContractTopicName;
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** What a script has to change, of the topics that the migrated events are about; from what each dialect says of itself. */
export function contractDifferences(from: HookContract, to: HookContract, events: ReadonlySet<HookEventName>): ContractDifference[] {
  const topics = Object.entries(contractTopics) as [ContractTopicName, ContractTopic][];
  return topics
    .filter(([topic, { events: about }]) => from.topics[topic] !== to.topics[topic] && (about?.some((event) => events.has(event)) ?? true))
    .map(([topic, { label }]) => ({ topic, label, from: from.topics[topic], to: to.topics[topic] }));
}

/**
 * What a hook loses because the agents differ, although its settings convert: a block that has no effect on this event, and a command whose text
 * answers, or reads fields of stdin, in the words of its agent. Scripts are not read; `contractDifferences` lists what they may have to change.
 */
export function contractLosses(hook: PortableHook, from: AgentContract, to: AgentContract): HookLoss[] {
  return [...eventLosses(hook, from, to), ...commandLosses(hook, from, to)];
}

function eventLosses({ eventName }: PortableHook, from: AgentContract, to: AgentContract): HookLoss[] {
  const isLost = (field: 'blocks' | 'redacts') => from.contract[field].includes(eventName) && !to.contract[field].includes(eventName);
  if (isLost('blocks')) return [{ field: 'event', message: `A block, exit code 2 too, has no effect on this event of ${to.agent}.` }];
  if (!isLost('redacts')) return [];
  const message = `A block, exit code 2 too, replaces the result in ${from.agent}; in ${to.agent} the model still reads the result.`;
  return [{ field: 'event', message }];
}

/** What a text says by itself is looked for, and not what it does: a sentence too many costs a look, one too few a guard. */
function commandLosses({ action }: PortableHook, { contract: from, agent: before }: AgentContract, to: AgentContract): HookLoss[] {
  if (action.kind !== 'command') return [];
  const { contract, agent } = to;
  const text = action.text.replace(expansions, '');
  const words = from.words.filter((word) => !contract.words.includes(word) && isNamed(word, text));
  const tools = from.tools.filter((tool) => !contract.tools.includes(tool) && isQuoted(tool, text));
  const values = from.decisions.filter((value) => !contract.decisions.includes(value) && isDecision(value, text));
  const isDenied = from.otherCodesDeny && !contract.otherCodesDeny && /\bexit\s+(?:[3-9]|[1-9]\d+)\b/.test(text);
  return [
    ...loss(words.length > 0, `Its command names ${quoted(words)}, which ${agent} does not have: change it by hand.`),
    ...loss(
      tools.length > 0,
      `Its command names the tool ${quoted(tools)}, which ${agent} calls otherwise or does not have: change it by hand.`,
    ),
    ...loss(
      values.length > 0 && contract.words.includes('decision'),
      `Its command answers with the "decision" ${quoted(values)}, which ${agent} does not read: change it by hand.`,
    ),
    ...loss(isDenied, `Text with an exit code above 2 denies in ${before}; in ${agent} it does not: exit with 2.`),
  ];
}

/** The directory of the project as a shell reads it: it is exchanged. Elsewhere, in a script of another language say, its name stays. */
const expansions = /(?:\$\{?|\$env:)LLXPRT_PROJECT_DIR(?!\w)/g;

/** A key in quotes or a field after a dot; a variable anywhere. */
function isNamed(word: string, text: string): boolean {
  return new RegExp(/^[A-Z_]+$/.test(word) ? `\\b${word}\\b` : `["'.]${word}(?!\\w)`).test(text);
}

/** In quotes of its own, which a command in quotes escapes: it is compared with something. Without them `Read` is a word like any other. */
function isQuoted(tool: string, text: string): boolean {
  return new RegExp(`(["'])${tool}\\\\*\\1`).test(text);
}

function isDecision(value: string, text: string): boolean {
  return new RegExp(`["']decision\\\\*["']\\s*:\\s*\\\\*["']${value}\\\\*["']`).test(text);
}

function quoted(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(', ');
}

function loss(isSo: boolean, message: string): HookLoss[] {
  return isSo ? [{ field: 'action', message }] : [];
}
