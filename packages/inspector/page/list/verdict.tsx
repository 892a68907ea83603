import type { EventRow } from '../../src/api/messages.js';
import { verdictWord } from '../filter/compile-filter.js';

const marks: Readonly<Record<string, string>> = { none: '○', allow: '✓', ask: '?', deny: '✗', running: '…', failed: '!', stop: '■' };

/** The answer of an event as a shape and a word, because not every reader sees colours. */
export function Verdict({ row }: { readonly row: Pick<EventRow, 'state' | 'verdict' | 'stop'> }) {
  const word = verdictWord(row);
  // An event without a decision that stops the agent is a stop, and not first of all nothing.
  const shown = row.stop === true && word === 'none' ? 'stop' : word;
  return (
    <span class={`verdict verdict-${shown}`}>
      <span aria-hidden="true">{marks[shown] ?? '○'} </span>
      {shown}
      {row.stop === true && shown !== 'stop' && ', stop'}
    </span>
  );
}
