import type { ExplainAnswer } from '../../src/api/messages.js';
import { SafeText } from '../texts/safe-text.js';

/** What is wrong with an input: the place, the mistake and what to do. */
export function IssueList({ issues }: Pick<ExplainAnswer, 'issues'>) {
  if (issues.length === 0) return null;
  return (
    <ul class="warnings">
      {issues.map(({ path, message, remedy }, index) => (
        <li key={index}>
          <strong>
            <SafeText text={path} longest={200} />
          </strong>
          {': '}
          <SafeText text={message} longest={1_000} /> {remedy !== undefined && <SafeText text={remedy} longest={1_000} />}
        </li>
      ))}
    </ul>
  );
}
