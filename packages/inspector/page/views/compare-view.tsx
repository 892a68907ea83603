import { useSignal } from '@preact/signals';
import type { Comparison } from '../../src/api/messages.js';
import { begun, openEvent } from '../state/page-state.js';
import { counted } from '../texts/duration.js';
import { SafeText } from '../texts/safe-text.js';
import { visibleLine } from '../texts/visible-text.js';
import { useJson } from './use-json.js';

type Different = Comparison['different'][number];

/** Two recordings, request by request, in the words of `tenterhook diff`. */
export function CompareView() {
  const recordings = begun.value?.recordings ?? [];
  const before = useSignal(0);
  const now = useSignal(1);
  return (
    <section class="view" tabIndex={0} aria-labelledby="compare-title">
      <h2 id="compare-title">Compare</h2>
      {recordings.length < 2 ? (
        <p class="note">
          Two recordings can be compared. Run <code>tenterhook inspect --recording a.bus.jsonl --recording b.bus.jsonl</code>.
        </p>
      ) : (
        <>
          <p class="compared">
            <Side label="Before" recordings={recordings} chosen={before} />
            <Side label="Now" recordings={recordings} chosen={now} />
          </p>
          <Found path={`/api/compare?before=${before.value}&now=${now.value}`} />
        </>
      )}
    </section>
  );
}

interface SideProps {
  readonly label: string;
  readonly recordings: readonly string[];
  readonly chosen: { value: number };
}

function Side({ label, recordings, chosen }: SideProps) {
  return (
    <label>
      {label}{' '}
      <select
        value={chosen.value}
        onChange={(event) => {
          chosen.value = Number(event.currentTarget.value);
        }}
      >
        {recordings.map((file, number) => (
          <option key={number} value={number}>
            {`${number + 1}: ${visibleLine(file, 120)}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Found({ path }: { readonly path: string }) {
  const { value, problem } = useJson<Comparison>(path, 0);
  if (problem !== undefined) {
    return (
      <p class="problem" role="alert">
        <SafeText text={problem} longest={1_000} />
      </p>
    );
  }
  if (value === undefined) return <p class="note">Comparing …</p>;
  const { summary, different, more, times } = value;
  return (
    <>
      <p role="status" id="compare-summary">
        <SafeText text={summary} longest={300} />
      </p>
      {different.map((one, index) => (
        <Request key={index} different={one} isOpen={different.length <= 20} />
      ))}
      {more > 0 && <p class="problem">{counted(more, 'more request')} not shown. Run tenterhook diff for all.</p>}
      <h3>Durations that differ by more than 2×</h3>
      {times.length === 0 && <p class="note">None.</p>}
      <ul>
        {times.map((time, index) => (
          <li key={index}>
            <SafeText text={time} longest={300} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Request({ different: { kind, title, lines, n }, isOpen }: { readonly different: Different; readonly isOpen: boolean }) {
  return (
    <details class="hook" open={isOpen}>
      <summary>
        <strong>
          <SafeText text={title} longest={300} />
        </strong>
      </summary>
      {lines.length > 0 && (
        <pre class="text-block diff" tabIndex={0} role="region" aria-label={`What differs in ${visibleLine(title, 100)}`}>
          {lines.map((line, index) => (
            <span key={index} class={classOf(line)}>
              <SafeText text={line} />
            </span>
          ))}
        </pre>
      )}
      {n !== undefined && (
        <button type="button" onClick={() => openEvent(n)}>
          {kind === 'added' ? 'Show the event of the second recording' : 'Show the event of the first recording'}
        </button>
      )}
    </details>
  );
}

/** The sign of a line follows its label, or its indent. The words of a line say the same as its colour. */
function classOf(line: string): string {
  const sign = /^(?: {2}|.{18} )([–+]) /.exec(line)?.[1];
  return sign === '+' ? 'diff-added' : sign === '–' ? 'diff-removed' : 'diff-same';
}
