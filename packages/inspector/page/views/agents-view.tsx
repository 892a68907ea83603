import { useSignal } from '@preact/signals';
import type { RunningAgent } from '../../src/api/messages.js';
import { restartStream } from '../server/event-stream.js';
import { describeFailure, RequestError, request } from '../server/request.js';
import { connectionWords } from '../state/apply-lines.js';
import { connection, forgetSource, gaps, stats } from '../state/page-state.js';
import { counted, formatTime } from '../texts/duration.js';
import { SafeText } from '../texts/safe-text.js';
import { useJson } from './use-json.js';

/** The agents that run here and allow to be inspected, and what was lost on the way from the attached one. */
export function AgentsView() {
  const asked = useSignal(0);
  const failure = useSignal<string | undefined>(undefined);
  const { value: agents, problem = failure.value } = useJson<readonly RunningAgent[]>('/api/agents', asked.value);
  const attach = async (pid: number) => {
    try {
      await request('/api/attach', { body: { pid } });
      failure.value = undefined;
      forgetSource();
      restartStream();
    } catch (error) {
      const isMissing = error instanceof RequestError && error.status === 404;
      failure.value = isMissing
        ? `This inspector cannot change its agent. Run "tenterhook inspect --attach ${pid}" in a terminal.`
        : describeFailure(error);
    }
    asked.value += 1;
  };
  return (
    <section class="view" tabIndex={0} aria-labelledby="agents-title">
      <h2 id="agents-title">Agents</h2>
      <Losses />
      {problem !== undefined && (
        <p class="problem" role="alert">
          <SafeText text={problem} longest={500} />
        </p>
      )}
      {agents?.length === 0 && (
        <p class="note">
          No agent that allows to be inspected is running. Start it with <code>TENTERHOOK_INSPECT=1</code>.
        </p>
      )}
      <ul class="agents">
        {agents?.map(({ pid, name, cwd, startedAt, version, isAttached }) => (
          <li key={pid}>
            <strong>
              <SafeText text={name} longest={120} />
            </strong>{' '}
            <span class="note">
              pid {pid}, version <SafeText text={version} longest={40} />, since {formatTime(Date.parse(startedAt))}
            </span>
            <p>
              <SafeText text={cwd} longest={400} />
            </p>
            {isAttached ? (
              <span class="attached">● attached</span>
            ) : (
              <button type="button" onClick={() => attach(pid)}>
                Attach
              </button>
            )}
          </li>
        ))}
      </ul>
      <p>
        <button
          type="button"
          onClick={() => {
            asked.value += 1;
          }}
        >
          Look again
        </button>
      </p>
    </section>
  );
}

function Losses() {
  const { total, forgotten, dropped } = stats.value;
  const { message } = connection.value;
  return (
    <dl class="facts">
      <div>
        <dt>Connection</dt>
        <dd>
          {connectionWords[connection.value.state]}
          {message !== undefined && (
            <>
              {': '}
              <SafeText text={message} longest={1_000} />
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Events</dt>
        <dd>{counted(total, 'event')}</dd>
      </div>
      <div>
        <dt>No longer kept</dt>
        <dd>{counted(forgotten, 'event')}</dd>
      </div>
      <div>
        <dt>Dropped</dt>
        <dd>{counted(dropped, 'message')}</dd>
      </div>
      <div>
        <dt>Gaps</dt>
        <dd>{counted(gaps.value.length, 'gap')}</dd>
      </div>
    </dl>
  );
}
