import { useState } from 'preact/hooks';
import type { AskBody, EventDetails, ExplainAnswer } from '../../src/api/messages.js';
import { describeFailure, requestJson } from '../server/request.js';
import { about } from '../state/page-state.js';
import { SafeText } from '../texts/safe-text.js';
import { WideTable } from '../texts/wide-table.js';
import { inputOf, readInput } from './event-input.js';
import { IssueList } from './issue-list.js';
import { RunEvent } from './run-event.js';

type Answer = { readonly explained: ExplainAnswer } | { readonly problem: string };

/** The input of the event in an editor, and which hooks would run for it now. Nothing is started, unless the server may run hooks. */
export function FireAgain({ details }: { readonly details: EventDetails }) {
  const [text, setText] = useState(() => JSON.stringify(inputOf(details.request), null, 2));
  const [answer, setAnswer] = useState<Answer>();
  const [isAsking, setAsking] = useState(false);
  const explain = async () => {
    const read = readInput(text);
    if ('problem' in read) {
      setAnswer(read);
      return;
    }
    setAsking(true);
    try {
      const body: AskBody = { eventName: details.row.event, input: read.input };
      setAnswer({ explained: await requestJson<ExplainAnswer>('/api/explain', { body }) });
    } catch (error) {
      setAnswer({ problem: describeFailure(error) });
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <label for="input">
        Input of <SafeText text={details.row.event} longest={60} />
      </label>
      <textarea id="input" rows={12} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <p>
        <button type="button" onClick={explain} disabled={isAsking}>
          Explain
        </button>{' '}
        <span class="note">Shows which hooks would run. Nothing is started.</span>
      </p>
      {about.value?.mayRun === true && <RunEvent eventName={details.row.event} text={text} />}
      <div role="status">
        {answer !== undefined && 'problem' in answer && (
          <p class="problem">
            <SafeText text={answer.problem} longest={1_000} />
          </p>
        )}
        {answer !== undefined && 'explained' in answer && <Explained answer={answer.explained} details={details} />}
      </div>
    </>
  );
}

function Explained({ answer: { by, hooks, issues }, details }: { readonly answer: ExplainAnswer; readonly details: EventDetails }) {
  const ran = new Set(details.hooks.filter(({ status }) => status !== 'skipped').map(({ hookId }) => hookId));
  return (
    <>
      <IssueList issues={issues} />
      <p class="note">{by === 'agent' ? 'The agent has answered.' : 'The settings files were read now. The agent may use others.'}</p>
      <WideTable label="Which hooks would run" heads={['Hook', 'Then', 'Now', 'Why']}>
        {hooks.map(({ hookId, name, runs, sentence }) => (
          <tr key={hookId} class={ran.has(hookId) === runs ? '' : 'differs'}>
            <th scope="row">
              <SafeText text={name ?? hookId} longest={120} />
            </th>
            <td>{ran.has(hookId) ? '✓ ran' : '– did not run'}</td>
            <td>
              {runs ? '✓ would run' : '– would not run'}
              {ran.has(hookId) !== runs && ' (differs)'}
            </td>
            <td>
              <SafeText text={sentence} longest={1_000} />
            </td>
          </tr>
        ))}
      </WideTable>
    </>
  );
}
