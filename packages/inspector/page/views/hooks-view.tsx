import type { About, HookStatistics } from '../../src/api/messages.js';
import { formatTerm } from '../filter/parse-filter.js';
import { about, setFilter, view } from '../state/page-state.js';
import { formatDuration } from '../texts/duration.js';
import { SafeText } from '../texts/safe-text.js';
import { WideTable } from '../texts/wide-table.js';
import { Sparkline } from './sparkline.js';
import { useJson } from './use-json.js';
import { useSlowVersion } from './use-slow-version.js';

type KnownHook = About['hooks'][number];

const heads = [
  'Hook',
  'Event',
  'Runs',
  'p50',
  'p95',
  'max',
  'Last runs',
  'Denies',
  'Failed',
  'Timed out',
  'Skipped',
  'Circuit',
  'Where',
] as const;
const numbers: ReadonlySet<string> = new Set(['Runs', 'p50', 'p95', 'max', 'Denies', 'Failed', 'Timed out']);

/** A table of all hooks: how often and how long each ran, and what came of it. */
export function HooksView() {
  const { value = [], problem } = useJson<readonly HookStatistics[]>('/api/statistics', useSlowVersion());
  const known = new Map((about.value?.hooks ?? []).map((hook) => [hook.hookId, hook]));
  const idle = [...known.values()].filter(({ hookId }) => !value.some((one) => one.hookId === hookId));
  return (
    <section class="view" tabIndex={0} aria-labelledby="hooks-title">
      <h2 id="hooks-title">Hooks</h2>
      {problem !== undefined && (
        <p class="problem">
          <SafeText text={problem} longest={500} />
        </p>
      )}
      {value.length === 0 && idle.length === 0 && <p class="note">No hook is known yet.</p>}
      <WideTable label="Figures of hooks" heads={heads} numbers={numbers}>
        {value.map((hook) => (
          <HookRow key={`${hook.hookId} ${hook.eventName}`} hook={hook} known={known.get(hook.hookId)} />
        ))}
        {idle.map((hook) => (
          <HookRow key={hook.hookId} hook={withoutRuns(hook)} known={hook} />
        ))}
      </WideTable>
    </section>
  );
}

function HookRow({ hook, known }: { readonly hook: HookStatistics; readonly known: KnownHook | undefined }) {
  const { hookId, name, eventName, runs, p50Ms, p95Ms, maxMs, lastMs, denies, failures, timeouts, skips, circuit } = hook;
  const skipped = Object.entries(skips);
  const label = name ?? known?.name ?? hookId;
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="link"
          disabled={hookId.includes('"')}
          onClick={() => {
            setFilter(formatTerm({ key: 'hook', value: hookId, isNegated: false }));
            view.value = 'events';
          }}
        >
          <SafeText text={label} longest={80} />
        </button>
        {known?.off !== undefined && (
          <span class="note">
            {' '}
            off: <SafeText text={known.off} longest={120} />
          </span>
        )}
      </th>
      <td>
        <SafeText text={eventName} longest={60} />
      </td>
      <td class="number">{runs.toLocaleString('en-US')}</td>
      <td class="number">{formatDuration(p50Ms)}</td>
      <td class="number">{formatDuration(p95Ms)}</td>
      <td class="number">{formatDuration(maxMs)}</td>
      <td>
        <Sparkline values={lastMs} />
      </td>
      <td class="number">{denies}</td>
      <td class="number">{failures}</td>
      <td class="number">{timeouts}</td>
      <td>
        {skipped.length === 0
          ? '–'
          : skipped.map(([reason, count], index) => (
              <span key={reason}>
                {index > 0 && ', '}
                <SafeText text={reason} longest={40} /> {count}
              </span>
            ))}
      </td>
      <td>{circuit === undefined ? '–' : <SafeText text={circuit} longest={40} />}</td>
      <td>
        <Place known={known} />
      </td>
    </tr>
  );
}

function Place({ known }: { readonly known: KnownHook | undefined }) {
  if (known === undefined) return <>–</>;
  const { file, line, matcher, source } = known;
  return (
    <>
      <SafeText text={file === undefined ? source : line === undefined ? file : `${file}:${line}`} longest={200} />
      {matcher !== undefined && (
        <>
          {', matcher '}
          <code>
            <SafeText text={matcher} longest={120} />
          </code>
        </>
      )}
    </>
  );
}

function withoutRuns({ hookId, name, eventName }: KnownHook): HookStatistics {
  return {
    hookId,
    ...(name === undefined ? {} : { name }),
    eventName,
    runs: 0,
    lastMs: [],
    denies: 0,
    failures: 0,
    timeouts: 0,
    skips: {},
  };
}
