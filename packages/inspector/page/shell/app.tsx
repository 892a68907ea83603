import { useEffect } from 'preact/hooks';
import type { About } from '../../src/api/messages.js';
import { DetailsPane } from '../details/details-pane.js';
import { FilterField } from '../filter/filter-field.js';
import { EventList } from '../list/event-list.js';
import { ListStatus } from '../list/list-status.js';
import { Minimap } from '../list/minimap.js';
import { requestJson } from '../server/request.js';
import { about, access, announcement, begun, connection, opened, view } from '../state/page-state.js';
import { visibleLine } from '../texts/visible-text.js';
import { AgentsView } from '../views/agents-view.js';
import { CompareView } from '../views/compare-view.js';
import { HooksView } from '../views/hooks-view.js';
import { SettingsView } from '../views/settings-view.js';
import { Beginning, Entrance } from './entrance.js';
import { Header } from './header.js';
import { HelpDialog } from './help-dialog.js';
import { handleKey } from './keyboard.js';

/** The whole page. */
export function App() {
  useEffect(() => {
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  const isIn = access.value === 'granted' || access.value === 'too-many';
  const { state } = connection.value;
  // What is known about the agent changes when another agent is attached, and when it comes back.
  useEffect(() => {
    if (!isIn || state === 'connecting' || state === 'unreachable') return;
    void requestJson<About>('/api/about').then(
      (value) => {
        about.value = value;
      },
      () => {
        // The state of the connection says that the server does not answer.
      },
    );
  }, [isIn, state]);
  const name = about.value?.source.name;
  useEffect(() => {
    document.title = name === undefined ? 'Tenterhook' : `${visibleLine(name, 80)} – Tenterhook`;
  }, [name]);
  if (!isIn) return <Entrance />;
  // Drawn only when its band is known, because a band that appears later would move everything below it.
  if (begun.value === undefined) return <Beginning />;
  return (
    <>
      {!begun.value.isMasked && (
        <p class="unmasked" role="alert">
          Secrets are not masked. Do not share what you see here.
        </p>
      )}
      <Header />
      <main id="main">
        <h1 class="visually-hidden">What hooks do</h1>
        {view.value === 'events' && <EventsView />}
        {view.value === 'hooks' && <HooksView />}
        {view.value === 'settings' && <SettingsView />}
        {view.value === 'agents' && <AgentsView />}
        {view.value === 'compare' && <CompareView />}
      </main>
      <HelpDialog />
      <div role="status" class="visually-hidden" id="announcement">
        {announcement.value}
      </div>
    </>
  );
}

function EventsView() {
  return (
    <div class={opened.value === undefined ? 'events' : 'events with-details'}>
      <section class="events-list" aria-label="Events">
        <FilterField />
        <Minimap />
        <EventList />
        <ListStatus />
      </section>
      {opened.value !== undefined && <DetailsPane n={opened.value} />}
    </div>
  );
}
