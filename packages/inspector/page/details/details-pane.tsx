import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EventDetails } from '../../src/api/messages.js';
import { leaveDetails } from '../list/list-actions.js';
import { wantsDetailsFocus } from '../state/page-state.js';
import { SafeText } from '../texts/safe-text.js';
import { JsonBlock } from '../texts/text-block.js';
import { ChangesTab } from './changes-tab.js';
import { FireAgain } from './fire-again.js';
import { HooksTab } from './hooks-tab.js';
import { NotRunTab } from './not-run-tab.js';
import { Tabs } from './tabs.js';
import { useDetails } from './use-details.js';
import { VerdictTab } from './verdict-tab.js';

type TabName = 'verdict' | 'hooks' | 'changes' | 'not-run' | 'messages' | 'fire-again';

/** The tab stays selected when another event is opened. */
const selected = signal<TabName>('verdict');

/** Everything that is known about one event. */
export function DetailsPane({ n }: { readonly n: number }) {
  const state = useDetails(n);
  return (
    <section class="details" aria-label="Details">
      <header>
        <h2>{'details' in state ? <Title details={state.details} /> : `Event ${n}`}</h2>
        <button type="button" onClick={leaveDetails}>
          Close
        </button>
      </header>
      {'isLoading' in state && <p class="note">Loading …</p>}
      {'problem' in state && (
        <p class="problem">
          <SafeText text={state.problem} longest={500} />
        </p>
      )}
      {'details' in state && <DetailsTabs details={state.details} />}
    </section>
  );
}

function Title({ details: { row } }: { readonly details: EventDetails }) {
  return (
    <>
      <SafeText text={row.event} longest={60} /> {row.subject !== undefined && <SafeText text={row.subject} longest={120} />}
    </>
  );
}

function DetailsTabs({ details }: { readonly details: EventDetails }) {
  const { hooks, changes, notRun } = details;
  const tabs: readonly (readonly [TabName, string])[] = [
    ['verdict', 'Verdict'],
    ['hooks', `Hooks (${hooks.length})`],
    ['changes', `Changes (${changes.length})`],
    ['not-run', `Not run (${notRun.length})`],
    ['messages', 'Messages'],
    ['fire-again', 'Fire again'],
  ];
  const wantsFocus = wantsDetailsFocus.value;
  useEffect(() => {
    if (!wantsFocus) return;
    wantsDetailsFocus.value = false;
    document.getElementById(`tab-${selected.peek()}`)?.focus();
  }, [wantsFocus]);
  return (
    <Tabs
      label="Details"
      tabs={tabs}
      selected={selected.value}
      onSelect={(name) => {
        selected.value = name;
      }}
    >
      {selected.value === 'verdict' && <VerdictTab details={details} />}
      {selected.value === 'hooks' && <HooksTab details={details} />}
      {selected.value === 'changes' && <ChangesTab details={details} />}
      {selected.value === 'not-run' && <NotRunTab details={details} />}
      {selected.value === 'messages' && <Messages details={details} />}
      {selected.value === 'fire-again' && <FireAgain key={details.row.n} details={details} />}
    </Tabs>
  );
}

function Messages({ details: { request, progress, response } }: { readonly details: EventDetails }) {
  return (
    <>
      <h3>Request</h3>
      <JsonBlock label="Request" value={request} />
      <h3>Progress</h3>
      <JsonBlock label="Progress" value={progress} />
      <h3>Response</h3>
      <JsonBlock label="Response" value={response} />
    </>
  );
}
