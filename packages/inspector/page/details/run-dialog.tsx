import { useEffect, useRef } from 'preact/hooks';
import type { PreviewAnswer } from '../../src/api/messages.js';
import { SafeText } from '../texts/safe-text.js';
import { PlainBlock } from '../texts/text-block.js';
import { visibleLine } from '../texts/visible-text.js';
import { IssueList } from './issue-list.js';

interface RunDialogProps {
  readonly eventName: string;
  readonly preview: PreviewAnswer;
  readonly onCancel: () => void;
  readonly onRun: () => void;
}

/** Asks before hooks are started. Cancel has the focus, so that Enter by mistake starts nothing. */
export function RunDialog({ eventName, preview: { hooks, issues }, onCancel, onRun }: RunDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const isAllowed = useRef(false);
  useEffect(() => {
    dialog.current?.showModal();
    cancel.current?.focus();
  }, []);
  // Closed before it is removed, so that the focus goes back to the button that has opened it.
  const close = (allowed: boolean) => {
    isAllowed.current = allowed;
    dialog.current?.close();
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="run-title" onClose={() => (isAllowed.current ? onRun() : onCancel())}>
      <h2 id="run-title">
        Run <SafeText text={eventName} longest={60} />?
      </h2>
      <IssueList issues={issues} />
      <p>
        {hooks.length === 0
          ? 'No hook of the project would run for this event.'
          : 'The settings files were read now. These hooks would start on this machine:'}
      </p>
      <ul class="run-list">
        {hooks.map((hook) => (
          <li key={hook.hookId}>
            <strong>
              <SafeText text={hook.name ?? hook.hookId} longest={120} />
            </strong>
            <Started hook={hook} />
          </li>
        ))}
      </ul>
      <button type="button" ref={cancel} onClick={() => close(false)}>
        Cancel
      </button>{' '}
      <button type="button" onClick={() => close(true)}>
        Run
      </button>
    </dialog>
  );
}

/** What a hook would start. The whole command is shown, because a person decides by it. */
function Started({ hook: { hookId, name = hookId, kind, command, url, cwd, reason } }: { readonly hook: PreviewAnswer['hooks'][number] }) {
  const text = command ?? url;
  return (
    <>
      {text === undefined ? (
        <p class="note">
          <SafeText text={reason ?? kind} longest={1_000} />
        </p>
      ) : (
        <PlainBlock label={`What ${visibleLine(name, 120)} starts`} text={text} />
      )}
      {cwd !== undefined && (
        <p class="note">
          in <SafeText text={cwd} longest={1_000} />
        </p>
      )}
    </>
  );
}
