import { applySgr, classesOf, type SgrStyle } from './sgr-style.js';
import { visiblePieces } from './visible-text.js';

/** A piece of a text with the names of its classes. */
export interface StyledSpan {
  readonly text: string;
  readonly classes: string;
}

const sgr = /\u001b\[([0-9;:]{0,64})m/g;
/** A text of nothing but sequences would need an element for each. After so many the rest is shown with escapes. */
const mostSpans = 5_000;

/**
 * Splits a text of a hook into spans. SGR sequences become classes. Every other control sequence is shown as an escape, also those of
 * links, because nothing that a hook prints may be clickable or move anything.
 */
export function styledSpans(text: string): StyledSpan[] {
  const spans: StyledSpan[] = [];
  let style: SgrStyle = {};
  let from = 0;
  const add = (piece: string) => {
    const classes = classesOf(style);
    for (const { text: shown, isEscape } of visiblePieces(piece)) {
      const own = isEscape ? 'escape' : classes;
      const last = spans.at(-1);
      if (last?.classes === own) spans[spans.length - 1] = { text: last.text + shown, classes: own };
      else spans.push({ text: shown, classes: own });
    }
  };
  for (const match of text.matchAll(sgr)) {
    if (spans.length >= mostSpans) break;
    add(text.slice(from, match.index));
    style = applySgr(style, match[1] as string);
    from = match.index + match[0].length;
  }
  if (spans.length < mostSpans) add(text.slice(from));
  else spans.push({ text: visiblePieces(text.slice(from)).reduce((all, piece) => all + piece.text, ''), classes: 'escape' });
  return spans;
}
