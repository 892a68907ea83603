import { relayProgram } from '@tenterhook/protocol/internal';
import { commandOf, type EntryFields } from './own-entries.js';

/** An entry of the relay in a settings file. */
export interface InstalledEntry {
  /** The agent and the event, then the options. */
  readonly words: readonly string[];
  /** The path of the program, or its name if it is found in PATH. */
  readonly program: string;
  /** The agent's deadline, in the agent's unit. Undefined if the entry has none. */
  readonly timeout?: number;
}

/** Reads an entry of the relay. */
export function readEntry(fields: EntryFields): InstalledEntry {
  const words = wordsOf(fields);
  const timeout = fields['timeout'] ?? fields['timeoutSec'];
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
    ...(typeof timeout === 'number' ? { timeout } : {}),
  };
}

function wordsOf(fields: EntryFields): readonly string[] {
  const { args } = fields;
  const text = commandOf(fields) ?? '';
  if (Array.isArray(args)) return [text, ...args.map(String)];
  return [...text.matchAll(/'((?:[^']|'\\'')*)'|[^\s;]+/g)].map(([word, quoted]) => quoted?.replaceAll("'\\''", "'") ?? word);
}
