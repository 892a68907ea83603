import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskBody, EventDetails, PreviewAnswer, RunBody } from '../../src/api/messages.js';
import { describeFailure, requestJson } from '../server/request.js';
import { SafeText } from '../texts/safe-text.js';
import { readInput } from './event-input.js';
import { RunAnswer } from './run-answer.js';
import { RunDialog } from './run-dialog.js';

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking'; readonly body: AskBody; readonly preview: PreviewAnswer }
  | { readonly kind: 'busy'; readonly control: AbortController; readonly isRunning: boolean }
  | { readonly kind: 'answered'; readonly details: EventDetails }
  | { readonly kind: 'problem'; readonly problem: string };

interface RunEventProps {
  readonly eventName: string;
  /** The edited input. */
  readonly text: string;
}

/** Runs the event, after a person has seen what would start. What is asked about is what is run, even if the text is edited meanwhile. */
export function RunEvent({ eventName, text }: RunEventProps) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const control = useRef<AbortController>(undefined);
  // The server stops a run when its request ends.
  useEffect(() => () => control.current?.abort(), []);
  const request = async (isRunning: boolean, send: (signal: AbortSignal) => Promise<State>) => {
    const own = new AbortController();
    control.current = own;
    setState({ kind: 'busy', control: own, isRunning });
    try {
      setState(await send(own.signal));
    } catch (error) {
      setState({ kind: 'problem', problem: own.signal.aborted ? 'Stopped.' : describeFailure(error) });
    }
  };
  const ask = () => {
    const read = readInput(text);
    if ('problem' in read) return setState({ kind: 'problem', problem: read.problem });
    const body: AskBody = { eventName, input: read.input, by: 'files' };
    void request(false, async (signal) => {
      const preview = await requestJson<PreviewAnswer>('/api/preview', { body, signal });
      return { kind: 'asking', body, preview };
    });
  };
  const run = (body: RunBody) => {
    void request(true, async (signal) => ({
      kind: 'answered',
      details: await requestJson<EventDetails>('/api/run', { body, signal }),
    }));
  };
  const isBusy = state.kind === 'busy';
  return (
    <>
      <p>
        {/* It keeps the focus while it waits, so it is not disabled. */}
        <button type="button" aria-haspopup="dialog" aria-disabled={isBusy} onClick={() => !isBusy && ask()}>
          Run
        </button>{' '}
        {isBusy && state.isRunning && (
          <button type="button" onClick={() => state.control.abort()}>
            Stop
          </button>
        )}{' '}
        <span class="note">Starts hooks in the inspector, not in the agent. You are asked first.</span>
      </p>
      {state.kind === 'asking' && (
        <RunDialog
          eventName={eventName}
          preview={state.preview}
          onCancel={() => setState({ kind: 'idle' })}
          onRun={() => run({ eventName: state.body.eventName, input: state.body.input, shown: state.preview.shown ?? '' })}
        />
      )}
      <div role="status">
        {isBusy && state.isRunning && <p class="note">Running …</p>}
        {state.kind === 'problem' && (
          <p class="problem">
            <SafeText text={state.problem} longest={1_000} />
          </p>
        )}
        {state.kind === 'answered' && <p class="note">The event was run.</p>}
      </div>
      {state.kind === 'answered' && <RunAnswer details={state.details} />}
    </>
  );
}
