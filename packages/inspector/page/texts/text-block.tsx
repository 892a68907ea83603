import { useMemo } from 'preact/hooks';
import { chunkLines } from './line-chunks.js';
import { type StyledSpan, styledSpans } from './styled-spans.js';
import { visiblePieces } from './visible-text.js';

/** The number of characters of a JSON value that are shown. */
const longestJson = 256 * 1024;

/** A text that a hook printed, with its colours. */
export function TextBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return <Lines label={label} spans={useMemo(() => styledSpans(text), [text])} />;
}

/** A JSON value with line breaks. */
export function JsonBlock({ label, value }: { readonly label: string; readonly value: unknown }) {
  const shown = useMemo(() => {
    const text = JSON.stringify(value, null, 2) ?? 'not set';
    return text.length > longestJson ? `${text.slice(0, longestJson)}\n… cut` : text;
  }, [value]);
  return <PlainBlock label={label} text={shown} />;
}

/** A text without colours. Each control character is shown, because a colour could hide a part of what a person must read. */
export function PlainBlock({ label, text }: { readonly label: string; readonly text: string }) {
  const spans = useMemo(() => visiblePieces(text).map((piece) => ({ text: piece.text, classes: piece.isEscape ? 'escape' : '' })), [text]);
  return <Lines label={label} spans={spans} />;
}

function Lines({ label, spans }: { readonly label: string; readonly spans: readonly StyledSpan[] }) {
  const chunks = useMemo(() => chunkLines(spans), [spans]);
  return (
    // It scrolls, so it must be reachable with the keyboard.
    <pre class="text-block" tabIndex={0} role="region" aria-label={label}>
      {chunks.map((chunk, number) => (
        <span key={number} class="lines">
          {chunk.map(({ text, classes }, index) =>
            classes === '' ? (
              text
            ) : (
              <span key={index} class={classes}>
                {text}
              </span>
            ),
          )}
        </span>
      ))}
    </pre>
  );
}
