import { useMemo } from 'preact/hooks';
import type { EventDetails } from '../../src/api/messages.js';
import { diffJsonValues, type JsonChange } from '../diff/json-diff.js';
import { type DiffLine, diffTextLines } from '../diff/line-diff.js';
import { SafeText } from '../texts/safe-text.js';
import { visibleLine, visiblePieces } from '../texts/visible-text.js';

/** Lines of one diff that are elements. A diff of everything would fill the document. */
const mostLines = 2_000;

/** What hooks changed in the event: JSON by path, long texts by line. */
export function ChangesTab({ details: { changes } }: { readonly details: EventDetails }) {
  if (changes.length === 0) return <p class="note">No hook changed the event.</p>;
  return (
    <>
      {changes.map(({ field, by, before, after }, index) => (
        <section key={index} class="change">
          <h3>
            <SafeText text={field} longest={200} /> <span class="note">by </span>
            <SafeText text={by} longest={120} />
          </h3>
          <ValueChange before={before} after={after} />
        </section>
      ))}
    </>
  );
}

function ValueChange({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const changes = useMemo(() => diffJsonValues(before, after), [before, after]);
  if (changes.length === 0) return <p class="note">The value was written again without a change.</p>;
  return (
    <>
      {changes.map((change) => (
        <PathChange key={change.path} change={change} />
      ))}
    </>
  );
}

function PathChange({ change: { path, before, after } }: { readonly change: JsonChange }) {
  const isText = typeof before === 'string' && typeof after === 'string' && (before.includes('\n') || after.includes('\n'));
  return (
    <>
      {path !== '' && (
        <p class="path">
          <SafeText text={path} longest={300} />
        </p>
      )}
      {isText ? <TextChange before={before} after={after} /> : <ShortChange before={before} after={after} />}
    </>
  );
}

function ShortChange({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  return (
    <pre class="text-block diff" tabIndex={0} role="region" aria-label="Change">
      {before !== undefined && <DiffRow line={{ kind: '-', text: asText(before) }} />}
      {after !== undefined && <DiffRow line={{ kind: '+', text: asText(after) }} />}
    </pre>
  );
}

function TextChange({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => diffTextLines(before, after), [before, after]);
  if (lines === undefined) {
    return (
      <>
        <p class="note">The two texts have too little in common for a diff.</p>
        <ShortChange before={before} after={after} />
      </>
    );
  }
  return (
    <pre class="text-block diff" tabIndex={0} role="region" aria-label="Changed lines">
      {lines.slice(0, mostLines).map((line, index) => (
        <DiffRow key={index} line={line} />
      ))}
      {lines.length > mostLines && `… ${lines.length - mostLines} more lines`}
    </pre>
  );
}

const rowClasses = { '-': 'diff-removed', '+': 'diff-added', ' ': 'diff-same', '@': 'diff-place' } as const;

/** One line. Its sign is part of the text, because not every reader sees colours. */
function DiffRow({ line: { kind, text } }: { readonly line: DiffLine }) {
  return (
    <span class={rowClasses[kind]}>
      {kind}{' '}
      {visiblePieces(text).map((piece, index) =>
        piece.isEscape ? (
          <span key={index} class="escape">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </span>
  );
}

function asText(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : visibleLine(JSON.stringify(value) ?? 'not set', 10_000);
}
