import { createLog } from '@tenterhook/runtime/log';

const log = createLog('tracing');

/**
 * Calls code of a tracing system. An error is logged, and the result is then undefined. An error of a promise that the code returns is logged,
 * too: it would otherwise end the process. `owner` says whose code it is.
 */
export function attempt<Result>(what: string, call: () => Result, owner = 'of the option "tracing"'): Result | undefined {
  try {
    const result = call();
    if (result instanceof Promise) result.catch((error: unknown) => report(error, what, owner));
    return result;
  } catch (error) {
    report(error, what, owner);
    return undefined;
  }
}

function report(error: unknown, what: string, owner: string): void {
  log('%s %s threw: %O', what, owner, error);
}
