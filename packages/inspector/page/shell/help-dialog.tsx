import { useEffect, useRef } from 'preact/hooks';
import { isHelpOpen } from '../state/page-state.js';

const keys = [
  ['/', 'go to the filter'],
  ['j, k, ↓, ↑', 'next or previous event'],
  ['Home, End', 'first or last event'],
  ['Enter', 'open the details'],
  ['Esc', 'back'],
  ['[, ]', 'previous or next deny'],
  ['f', 'follow new events'],
  ['g e', 'events'],
  ['g h', 'hooks'],
  ['g s', 'settings'],
  ['g a', 'agents'],
  ['g c', 'compare two recordings'],
  ['?', 'this help'],
] as const;

const filters = [
  ['event:BeforeTool', 'the name of the event; * is any text'],
  ['tool:write_*,edit', 'one of several tools'],
  ['hook:guard', 'the name or the id of a hook'],
  ['verdict:deny', 'none, allow, ask, deny, running or failed'],
  ['status:timed-out', 'the status of a hook'],
  ['dialect:eca', 'the format of a hook'],
  ['session:s-1', 'the session'],
  ['slow:>200ms', 'the duration of the event'],
  ['is:late', 'late, idle, running, failed or stopped'],
  ['-is:idle', 'a minus negates'],
  ['"a text"', 'a text in the event, subject, session, error or hooks'],
] as const;

/** The keys and the filter language. */
export function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  const close = () => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      <h2 id="help-title">Keys</h2>
      <dl class="help-list">
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>Filter</h2>
      <dl class="help-list">
        {filters.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <code>{key}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
