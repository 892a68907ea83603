import { filterText, setFilter, store, storeVersion } from '../state/page-state.js';
import { formatTime } from '../texts/duration.js';
import { hasTerm, replaceTerm, suggestFilters, toggleTerm } from './edit-filter.js';
import { type FilterTerm, parseTimeRange } from './parse-filter.js';

const chips: readonly (readonly [label: string, term: FilterTerm])[] = [
  ['deny', { key: 'verdict', value: 'deny', isNegated: false }],
  ['ask', { key: 'verdict', value: 'ask', isNegated: false }],
  ['failed hook', { key: 'status', value: 'failed', isNegated: false }],
  ['timed out', { key: 'status', value: 'timed-out', isNegated: false }],
  ['late', { key: 'is', value: 'late', isNegated: false }],
  ['slow', { key: 'slow', value: '>1s', isNegated: false }],
  ['without idle', { key: 'is', value: 'idle', isNegated: true }],
];

/** The field with the filter, suggestions of what occurs, and chips for what people filter by. */
export function FilterField() {
  const text = filterText.value;
  // The suggestions are of the rows that are there at a key press, so new rows need not draw the field again.
  void storeVersion.peek();
  const { terms, problems } = store.filter;
  const time = terms.find(({ key }) => key === 'time');
  const range = time === undefined ? undefined : parseTimeRange(time.value);
  return (
    <search class="filter">
      <label for="filter" class="visually-hidden">
        Filter
      </label>
      <input
        id="filter"
        type="search"
        list="filter-suggestions"
        placeholder="Filter: event:BeforeTool verdict:deny slow:>200ms text"
        autocomplete="off"
        spellcheck={false}
        aria-describedby={problems.length > 0 ? 'filter-problems' : undefined}
        aria-invalid={problems.length > 0}
        value={text}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <datalist id="filter-suggestions">
        {suggestFilters(text, store.rows).map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
      <div class="chips" role="group" aria-label="Common filters">
        {chips.map(([label, term]) => (
          <button key={label} type="button" aria-pressed={hasTerm(text, term)} onClick={() => setFilter(toggleTerm(text, term))}>
            {label}
          </button>
        ))}
        <button
          type="button"
          class="time-chip"
          aria-pressed={range !== undefined}
          disabled={range === undefined}
          onClick={() => setFilter(replaceTerm(text, 'time', undefined))}
        >
          {range === undefined ? 'any time' : `${formatTime(range.from)} to ${formatTime(range.to)}`}
        </button>
      </div>
      {problems.length > 0 && (
        <p id="filter-problems" class="problem">
          {problems.join(' ')}
        </p>
      )}
    </search>
  );
}
