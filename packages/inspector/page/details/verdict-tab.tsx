import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { EventDetails } from '../../src/api/messages.js';
import { formatTerm } from '../filter/parse-filter.js';
import { Verdict } from '../list/verdict.js';
import { setFilter } from '../state/page-state.js';
import { formatDay, formatDuration, formatTime } from '../texts/duration.js';
import { SafeText } from '../texts/safe-text.js';
import { visibleLine } from '../texts/visible-text.js';

/** What was decided, by which hooks, and why. */
export function VerdictTab({ details }: { readonly details: EventDetails }) {
  const { row, command } = details;
  return (
    <>
      <dl class="facts">
        <Decision details={details} />
        <Fact name="Time">
          {formatDay(row.at)} {formatTime(row.at)}
        </Fact>
        <Fact name="Duration">{row.state === 'running' ? 'still running' : formatDuration(row.durationMs)}</Fact>
        <Fact name="Hooks">
          {row.run} of {row.all} ran
        </Fact>
        {row.session !== undefined && (
          <Fact name="Session">
            <SafeText text={row.session} longest={200} />
          </Fact>
        )}
        <Fact name="Correlation id">
          <SafeText text={row.correlationId} longest={200} />
        </Fact>
      </dl>
      <CopyCommand command={command} />
      {row.session !== undefined && !row.session.includes('"') && (
        <p>
          <button
            type="button"
            onClick={() => {
              const session = formatTerm({ key: 'session', value: row.session as string, isNegated: false });
              setFilter(`${session} time:0..${Math.ceil(row.at)}`);
            }}
          >
            Show what was before in this session
          </button>
        </p>
      )}
    </>
  );
}

/** What was decided, and by which hooks. */
export function Decision({ details: { row, verdict, hooks } }: { readonly details: EventDetails }) {
  const nameOf = (hookId: string) => hooks.find((hook) => hook.hookId === hookId)?.name ?? hookId;
  return (
    <>
      <Fact name="Verdict">
        <Verdict row={row} />
      </Fact>
      {verdict?.reason !== undefined && (
        <Fact name="Reason">
          <SafeText text={verdict.reason} longest={4_000} />
        </Fact>
      )}
      {verdict !== undefined && verdict.by.length > 0 && (
        <Fact name="Decided by">
          {verdict.by.map((hookId, index) => (
            <span key={hookId}>
              {index > 0 && ', '}
              <SafeText text={nameOf(hookId)} longest={120} />
            </span>
          ))}
        </Fact>
      )}
      {row.error !== undefined && (
        <Fact name="Error">
          <SafeText text={row.error} longest={500} />
        </Fact>
      )}
    </>
  );
}

export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The command that fires the event again. The field shows what is copied, since a command is pasted into a terminal. */
function CopyCommand({ command }: { readonly command: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  const shown = visibleLine(command, Number.POSITIVE_INFINITY);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(shown);
    } catch {
      // The policy of the page denies the clipboard to scripts. Copying what is selected is still allowed after a click.
      field.current?.select();
      document.execCommand('copy');
    }
    setCopied(true);
  };
  return (
    <p class="command">
      <label for="command">Command</label>
      <input id="command" ref={field} readOnly value={shown} />
      <button type="button" onClick={copy}>
        Copy
      </button>
      <span role="status">{isCopied ? 'Copied' : ''}</span>
    </p>
  );
}
