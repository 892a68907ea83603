import type { EventDetails, HookDetails } from '../../src/api/messages.js';
import { formatTerm } from '../filter/parse-filter.js';
import { setFilter } from '../state/page-state.js';
import { formatDuration } from '../texts/duration.js';
import { SafeText } from '../texts/safe-text.js';
import { JsonBlock } from '../texts/text-block.js';
import { LongText } from './long-text.js';
import { Fact } from './verdict-tab.js';

interface HooksTabProps {
  readonly details: EventDetails;
  /** Where the rest of long texts is. @default the event of the list */
  readonly path?: string;
}

/** The hooks of an event in the order of the plan: what each read, printed and decided. */
export function HooksTab({ details: { row, hooks }, path = `/api/events/${row.n}` }: HooksTabProps) {
  if (hooks.length === 0) return <p class="note">No hook ran for this event.</p>;
  return (
    <>
      {hooks.map((hook, index) => (
        <details key={`${row.n} ${index}`} class="hook" open={hooks.length <= 4}>
          <summary>
            <span class={`hook-status hook-is-${hook.status.replaceAll(/[^a-z-]/g, '')}`}>
              {statusMarks[hook.status] ?? '·'} <SafeText text={hook.status} longest={40} />
            </span>{' '}
            <strong>
              <SafeText text={hook.name ?? hook.hookId} longest={120} />
            </strong>{' '}
            {formatDuration(hook.durationMs ?? lengthOf(hook))}
            {hook.late === true && ', ended after its event'}
          </summary>
          <HookFacts hook={hook} />
          <HookTexts hook={hook} path={`${path}/hooks/${index}`} />
        </details>
      ))}
    </>
  );
}

const statusMarks: Readonly<Record<string, string>> = {
  succeeded: '✓',
  blocked: '✗',
  failed: '!',
  'timed-out': '⏱',
  skipped: '–',
  cancelled: '◌',
  detached: '…',
  running: '…',
  queued: '…',
};

function lengthOf({ startMs, endMs }: HookDetails): number | undefined {
  return startMs === undefined || endMs === undefined ? undefined : endMs - startMs;
}

function HookFacts({ hook }: { readonly hook: HookDetails }) {
  const { hookId, dialect, stage, startMs, timeoutMs, exitCode, signal, decision, reason, cwd, warnings } = hook;
  return (
    <>
      {warnings.length > 0 && (
        <ul class="warnings">
          {warnings.map(({ code, message }, index) => (
            <li key={index}>
              <strong>⚠ </strong>
              <SafeText text={message} longest={2_000} />{' '}
              <span class="note">
                (<SafeText text={code} longest={60} />: see docs/errors.md)
              </span>
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        {decision !== undefined && (
          <Fact name="Decision">
            <SafeText text={decision} longest={60} />
          </Fact>
        )}
        {reason !== undefined && (
          <Fact name="Reason">
            <SafeText text={reason} longest={4_000} />
          </Fact>
        )}
        <Fact name="Hook">
          <SafeText text={hookId} longest={200} />
          {!hookId.includes('"') && (
            <>
              {' '}
              <button type="button" onClick={() => setFilter(formatTerm({ key: 'hook', value: hookId, isNegated: false }))}>
                Only this hook
              </button>
            </>
          )}
        </Fact>
        <Fact name="Format">
          <SafeText text={dialect} longest={60} />
        </Fact>
        <Fact name="Stage">{stage === 0 ? 'not planned' : stage}</Fact>
        {startMs !== undefined && <Fact name="Started after">{formatDuration(startMs)}</Fact>}
        {timeoutMs !== undefined && <Fact name="Timeout">{formatDuration(timeoutMs)}</Fact>}
        {exitCode !== undefined && <Fact name="Exit code">{exitCode}</Fact>}
        {signal !== undefined && (
          <Fact name="Signal">
            <SafeText text={signal} longest={40} />
          </Fact>
        )}
        {cwd !== undefined && (
          <Fact name="Directory">
            <SafeText text={cwd} longest={1_000} />
          </Fact>
        )}
      </dl>
    </>
  );
}

function HookTexts({ hook, path }: { readonly hook: HookDetails; readonly path: string }) {
  const { stdin, stdout, stderr, output } = hook;
  return (
    <>
      {stdin !== undefined && (
        <LongText title={stdin.isReconstructed ? 'stdin (reconstructed from the event)' : 'stdin'} first={stdin} path={`${path}/stdin`} />
      )}
      {stdout !== undefined && <LongText title="stdout" first={stdout} path={`${path}/stdout`} />}
      {stderr !== undefined && <LongText title="stderr" first={stderr} path={`${path}/stderr`} />}
      {output !== undefined && (
        <>
          <h3>Output as Tenterhook read it</h3>
          <JsonBlock label="Output" value={output} />
        </>
      )}
    </>
  );
}
