import type { HookEventName } from '@tenterhook/protocol';
import { type ContractTopic, type ContractTopicName, contractTopics } from './contract-topics.js';
import type { HookLoss, PortableHook } from './portable/portable-hook.js';

/** What the scripts of one format receive and print. A migration does not change scripts, so it reports where two formats differ. */
export interface HookContract {
  readonly topics: Readonly<Record<ContractTopicName, string>>;
  /** The events on which a hook can block, by an answer or by exit code 2. */
  readonly blocks: readonly HookEventName[];
  /** The events on which a block replaces the result that the model would have read. */
  readonly redacts: readonly HookEventName[];
  /** Whether a hook denies if it prints a text and exits with a code above 2. In other formats such a hook has only failed. */
  readonly otherCodesDeny: boolean;
  /** The values of `decision` at the top level of an answer that the agent obeys. */
  readonly decisions: readonly string[];
  /**
   * Words that are special in this format and may be unknown in others: keys of stdin, fields of answers, variables. Scripts and
   * commands contain them.
   */
  readonly words: readonly string[];
  readonly tools: readonly string[];
}

export interface AgentContract {
  /** The display name of the agent, e.g. `Claude Code`. */
  readonly agent: string;
  readonly contract: HookContract;
}

export interface ContractDifference {
  readonly topic: ContractTopicName;
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns the topics in which two formats differ and that concern the migrated events. The user may have to change scripts for
 * them.
 */
export function contractDifferences(from: HookContract, to: HookContract, events: ReadonlySet<HookEventName>): ContractDifference[] {
  const topics = Object.entries(contractTopics) as [ContractTopicName, ContractTopic][];
  return topics
    .filter(([topic, { events: about }]) => from.topics[topic] !== to.topics[topic] && (about?.some((event) => events.has(event)) ?? true))
    .map(([topic, { label }]) => ({ topic, label, from: from.topics[topic], to: to.topics[topic] }));
}

/**
 * Returns what a hook loses although its settings can be converted. For example, its deny has no effect on the event, or its
 * command prints an answer of the old format. Only the text of the command is read; `contractDifferences` covers script files.
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

/**
 * Searches the text of a command for words of the old format. In doubt a word is reported: a warning too many does little harm, but
 * without a necessary warning a guard could stop working unnoticed.
 */
function commandLosses({ action }: PortableHook, { contract: from, agent: before }: AgentContract, to: AgentContract): HookLoss[] {
  if (action.kind !== 'command') return [];
  const { contract, agent } = to;
  const text = action.text.replace(expansions, '');
  const words = from.words.filter((word) => !contract.words.includes(word) && isNamed(word, text));
  const tools = from.tools.filter((tool) => !contract.tools.includes(tool) && isQuoted(tool, text));
  const values = from.decisions.filter((value) => !contract.decisions.includes(value) && isDecision(value, text));
  const isDenied = from.otherCodesDeny && !contract.otherCodesDeny && /\bexit\s+(?:[3-9]|[1-9]\d+)\b/.test(text);
  return [
    ...loss(words.length > 0, `Its command uses ${quoted(words)}, which ${agent} does not have: change the command by hand.`),
    ...loss(
      tools.length > 0,
      `Its command names the tool ${quoted(tools)}, which has another name in ${agent} or does not exist there: change the command by hand.`,
    ),
    ...loss(
      values.length > 0 && contract.words.includes('decision'),
      `Its command answers with the "decision" ${quoted(values)}, which ${agent} does not read: change the command by hand.`,
    ),
    ...loss(
      isDenied,
      `If a hook prints text and exits with a code above 2, ${before} denies the operation. ${agent} does not. Exit with 2.`,
    ),
  ];
}

/** References to the project directory. The migration replaces them, so they need no warning. */
const expansions = /(?:\$\{?|\$env:)LLXPRT_PROJECT_DIR(?!\w)/g;

/** Tests whether a text contains a word of the format as a variable, as a key in quotes, or as a field after a dot. */
function isNamed(word: string, text: string): boolean {
  return new RegExp(/^[A-Z_]+$/.test(word) ? `\\b${word}\\b` : `["'.]${word}(?!\\w)`).test(text);
}

/**
 * Tests whether a text contains the name of a tool in quotes, as in `[ "$tool" = "Read" ]`. Without quotes, `Read` may be an
 * ordinary word. In a command that is itself in quotes, backslashes may precede the inner quotes.
 */
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
