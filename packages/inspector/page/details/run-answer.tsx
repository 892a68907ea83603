import type { EventDetails } from '../../src/api/messages.js';
import { formatDuration } from '../texts/duration.js';
import { SafeText } from '../texts/safe-text.js';
import { HooksTab } from './hooks-tab.js';
import { NotRunTab } from './not-run-tab.js';
import { Decision, Fact } from './verdict-tab.js';

/** The answer of a run, shown as the details of an event are. */
export function RunAnswer({ details }: { readonly details: EventDetails }) {
  const { row, hooks, notRun } = details;
  const problem = errorOf(details.response);
  return (
    <section aria-labelledby="run-answer-title" class="run-answer">
      <h3 id="run-answer-title">Answer of the run</h3>
      <dl class="facts">
        <Decision details={details} />
        {problem !== undefined && (
          <Fact name="Problem">
            <SafeText text={problem} longest={4_000} />
          </Fact>
        )}
        <Fact name="Duration">{formatDuration(row.durationMs)}</Fact>
        <Fact name="Hooks">
          {row.run} of {row.all} ran
        </Fact>
      </dl>
      {hooks.length > 0 && <HooksTab details={details} path={`/api/run/${row.n}`} />}
      {notRun.length > 0 && <NotRunTab details={details} />}
    </section>
  );
}

function errorOf(response: unknown): string | undefined {
  const message = (response as { readonly error?: { readonly message?: unknown } } | null)?.error?.message;
  return typeof message === 'string' ? message : undefined;
}
