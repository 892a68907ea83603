/** Milliseconds that work gets, after its signal has aborted, to end by itself and with what it has. */
const graceMs = 500;

/** The work overlooked its signal and goes on somewhere; nobody waits for it any more. */
export class AbandonedError extends Error {
  override readonly name = 'AbandonedError';
}

/** The end of the work, or an AbandonedError: a tool that overlooks its signal must not keep an agent that was told to stop. */
export function untilAbandoned<Value>(work: () => Value | Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const giveUp = () => {
      timer = setTimeout(() => settle(() => reject(new AbandonedError('It was cancelled and did not end.'))), graceMs);
    };
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      finish();
    };
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
    new Promise<Value>((settleWork) => settleWork(work())).then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}
