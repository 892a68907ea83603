import type { EventDetails } from '../../src/api/messages.js';
import { SafeText } from '../texts/safe-text.js';

/** Hooks that did not run, each with its reason. */
export function NotRunTab({ details: { notRun } }: { readonly details: EventDetails }) {
  if (notRun.length === 0) return <p class="note">Every hook of this event ran, or why others did not run is not known.</p>;
  return (
    <ul class="not-run">
      {notRun.map(({ hookId, name, skipReason, sentence }, index) => (
        <li key={index}>
          <strong>
            <SafeText text={name ?? hookId} longest={120} />
          </strong>{' '}
          {skipReason !== undefined && (
            <span class="note">
              <SafeText text={skipReason} longest={60} />
            </span>
          )}
          <p>
            <SafeText text={sentence} longest={1_000} />
          </p>
        </li>
      ))}
    </ul>
  );
}
