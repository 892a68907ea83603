import { useState } from 'preact/hooks';
import type { AskBody, EventDetails, ExplainAnswer } from '../../src/api/messages.js';
import { describeFailure, requestJson } from '../server/request.js';
import { about } from '../state/page-state.js';
import { SafeText } from '../texts/safe-text.js';
import { inputOf, readInput } from './event-input.js';
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
      {issues.length > 0 && (
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
      )}
      <p class="note">{by === 'agent' ? 'The agent has answered.' : 'The settings files were read now. The agent may use others.'}</p>
      <div class="wide" role="region" aria-label="Which hooks would run" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Hook</th>
              <th scope="col">Then</th>
              <th scope="col">Now</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
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
          </tbody>
        </table>
      </div>
    </>
  );
}
