import { relayProgram } from '@tenterhook/protocol/internal';
import { type Node, parseTree } from '@tenterhook/runtime/jsonc';
import { findOwnEntries, memberOf } from './own-entries.js';

/** An entry of the relay in a settings file. */
export interface InstalledEntry {
  /** The agent and the event, then the options. */
  readonly words: readonly string[];
  /** The path of the program, or its name if it is found in PATH. */
  readonly program: string;
  /** The agent's deadline, in the agent's unit. Undefined if the entry has none. */
  readonly timeout?: number;
}

/** Reads the entries of the relay in a settings text. */
export function readEntries(text: string): readonly InstalledEntry[] {
  const root = parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  return findOwnEntries(root).map((node) => {
    const words = wordsOf(node);
    const timeout = memberOf(node, 'timeout') ?? memberOf(node, 'timeoutSec');
    const at = words.findIndex(
      (word) =>
        word
          .split(/[\\/]/)
          .at(-1)
          ?.replace(/\.exe$/, '') === relayProgram,
    );
    // A command that first tests whether the program exists names it twice.
    const last = words.lastIndexOf(words[at] ?? '');
    return {
      program: words[last] ?? '',
      words: words.slice(last + 1),
      ...(typeof timeout?.value === 'number' ? { timeout: timeout.value } : {}),
    };
  });
}

function wordsOf(node: Node): readonly string[] {
  const command = memberOf(node, 'command') ?? memberOf(node, 'shell');
  const args = memberOf(node, 'args');
  const text = typeof command?.value === 'string' ? command.value : '';
  if (args?.type === 'array') return [text, ...(args.children ?? []).map(({ value }) => String(value))];
  return [...text.matchAll(/'((?:[^']|'\\'')*)'|[^\s;]+/g)].map(([word, quoted]) => quoted?.replaceAll("'\\''", "'") ?? word);
}
