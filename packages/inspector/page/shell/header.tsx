import { type View, views } from '../state/address.js';
import { connectionWords } from '../state/apply-lines.js';
import { about, access, begun, connection, isHelpOpen, view } from '../state/page-state.js';
import { SafeText } from '../texts/safe-text.js';
import { type Theme, theme, themes } from './theme.js';

const viewNames = { events: 'Events', hooks: 'Hooks', settings: 'Settings', agents: 'Agents', compare: 'Compare' } as const;

/** There is something to compare only with two recordings, which is known before the page is drawn. */
function shownViews(): readonly View[] {
  return (begun.value?.recordings.length ?? 0) > 1 ? views : views.filter((one) => one !== 'compare');
}

/** The navigation, what the page shows, and the state of the connection. */
export function Header() {
  return (
    <header class="header">
      <nav aria-label="Views">
        {shownViews().map((one) => (
          <button
            key={one}
            type="button"
            aria-current={view.value === one ? 'page' : undefined}
            onClick={() => {
              view.value = one;
            }}
          >
            {viewNames[one]}
          </button>
        ))}
      </nav>
      <div class="header-state">
        <SourceName />
        <ConnectionState />
      </div>
      <label class="theme">
        <span class="visually-hidden">Colours</span>
        <select
          value={theme.value}
          onChange={(event) => {
            theme.value = event.currentTarget.value as Theme;
          }}
        >
          {themes.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => {
          isHelpOpen.value = true;
        }}
      >
        Keys
      </button>
    </header>
  );
}

function SourceName() {
  const source = about.value?.source;
  if (source === undefined) return <span class="source" />;
  return (
    <span class="source">
      <SafeText text={source.name} longest={120} />
      {source.pid !== undefined && ` (pid ${source.pid})`}
    </span>
  );
}

const connectionMarks = { connecting: '…', unreachable: '✗', connected: '●', lost: '✗', ended: '■', recording: '▤' } as const;

function ConnectionState() {
  const { state, message } = connection.value;
  return (
    // One line, whatever it says: the view "Agents" has the whole message.
    <span class={`connection connection-${state}`} data-state={state}>
      <span aria-hidden="true">{connectionMarks[state]} </span>
      {connectionWords[state]}
      {access.value === 'too-many' && '. Too many wrong tokens; it answers again after a minute'}
      {message !== undefined && (
        <>
          {': '}
          <SafeText text={message} longest={300} />
        </>
      )}
    </span>
  );
}
