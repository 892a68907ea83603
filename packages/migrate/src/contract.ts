import type { HookEventName } from '@tenterhook/protocol';
import { type ContractTopic, type ContractTopicName, contractTopics } from './contract-topics.js';
import type { HookLoss, PortableHook } from './portable/portable-hook.js';

/** What a migration of settings does not change: a script reads and prints the format of its agent. */
export interface HookContract {
  readonly topics: Readonly<Record<ContractTopicName, string>>;
  /** Events on which a block, by an answer or by exit code 2, has an effect. */
  readonly blocks: readonly HookEventName[];
  /** Events on which a block replaces the result that the model would have read. */
  readonly redacts: readonly HookEventName[];
  /** Whether text with an exit code above 2 denies instead of being a failure. */
  readonly otherCodesDeny: boolean;
  /** Values of `decision` at the top of an answer that count in the product. */
  readonly decisions: readonly string[];
  /** Words of the format that a script or a command may contain: keys of stdin, fields of answers, variables. */
  readonly words: readonly string[];
  /** Its names for its own tools. */
  readonly tools: readonly string[];
}

/** An agent and the contract with its scripts. */
export interface AgentContract {
  /** The display name of the agent: `Claude Code`. */
  readonly agent: string;
  readonly contract: HookContract;
}

/** A difference between the scripts of two agents. */
export interface ContractDifference {
  readonly topic: ContractTopicName;
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** What has to change in a script, for the topics that apply to the migrated events. Read from the contract of each dialect. */
export function contractDifferences(from: HookContract, to: HookContract, events: ReadonlySet<HookEventName>): ContractDifference[] {
  const topics = Object.entries(contractTopics) as [ContractTopicName, ContractTopic][];
  return topics
    .filter(([topic, { events: about }]) => from.topics[topic] !== to.topics[topic] && (about?.some((event) => events.has(event)) ?? true))
    .map(([topic, { label }]) => ({ topic, label, from: from.topics[topic], to: to.topics[topic] }));
}

/**
 * What a hook loses because the agents differ, although its settings convert: a block that has no effect on this event, and a command whose
 * text answers, or reads fields of stdin, in the format of its agent. Scripts are not read; `contractDifferences` lists what may have to
 * change in them.
 */
export function contractLosses(hook: PortableHook, from: AgentContract, to: AgentContract): HookLoss[] {
  return [...eventLosses(hook, from, to), ...commandLosses(hook, from, to)];
}

function eventLosses({ eventName }: PortableHook, from: AgentContract, to: AgentContract): HookLoss[] {
  const isLost = (field: 'blocks' | 'redacts') => from.contract[field].includes(eventName) && !to.contract[field].includes(eventName);
  if (isLost('blocks')) return [{ field: 'event', message: `A block, including exit code 2, has no effect on this event of ${to.agent}.` }];
  if (!isLost('redacts')) return [];
  const message = `A block, including exit code 2, replaces the result in ${from.agent}; in ${to.agent} the model still reads the result.`;
  return [{ field: 'event', message }];
}

/** Searches the text only, and does not interpret it: a superfluous warning costs a look, a missing one costs a guard. */
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
      `Its command names the tool ${quoted(tools)}, which has another name in ${agent} or does not exist there: change it by hand.`,
    ),
    ...loss(
      values.length > 0 && contract.words.includes('decision'),
      `Its command answers with the "decision" ${quoted(values)}, which ${agent} does not read: change it by hand.`,
    ),
    ...loss(isDenied, `Text with an exit code above 2 denies in ${before}; in ${agent} it does not: exit with 2.`),
  ];
}

/** The project directory as a shell reads it: it is replaced. Elsewhere, for example in a script of another language, the name stays. */
const expansions = /(?:\$\{?|\$env:)LLXPRT_PROJECT_DIR(?!\w)/g;

/** A key in quotes or a field after a dot; a variable anywhere. */
function isNamed(word: string, text: string): boolean {
  return new RegExp(/^[A-Z_]+$/.test(word) ? `\\b${word}\\b` : `["'.]${word}(?!\\w)`).test(text);
}

/** Only in quotes (escaped inside a quoted command), where it is compared with something. Without quotes, `Read` is an ordinary word. */
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
