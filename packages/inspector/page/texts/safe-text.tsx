import { visiblePieces } from './visible-text.js';

interface SafeTextProps {
  readonly text: string;
  /** The number of characters that are shown. @default all */
  readonly longest?: number;
}

/** A text of a hook in one line. Characters that cannot be seen are escapes, which are marked, so that no hook can imitate one. */
export function SafeText({ text, longest = Number.POSITIVE_INFINITY }: SafeTextProps) {
  // A recording comes from elsewhere, so what should be a text may be any JSON value.
  const whole = typeof text === 'string' ? text : (JSON.stringify(text) ?? '');
  const cut = whole.length > longest ? `${whole.slice(0, longest - 1)}…` : whole;
  // Nearly all texts of the list are plain, and the list is drawn at each frame of a scroll.
  if (/^[\x20-\x7e…]*$/.test(cut)) return <>{cut}</>;
  return (
    <bdi>
      {visiblePieces(cut, true).map((piece, index) =>
        piece.isEscape ? (
          <span key={index} class="escape">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
