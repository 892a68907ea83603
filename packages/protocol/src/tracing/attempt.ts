import { createLog } from '@tenterhook/runtime/log';

const log = createLog('tracing');

/**
 * Calls code of a tracing system. An error is logged, and the result is then undefined. An error of a promise that the code returns is logged,
 * too: it would otherwise end the process. `owner` says whose code it is.
 */
export function attempt<Result>(what: string, call: () => Result, owner = 'of the option "tracing"'): Result | undefined {
  const fail = (error: unknown) => log('%s %s threw: %O', what, owner, error);
  try {
    const result = call();
    if (result instanceof Promise) result.catch(fail);
    return result;
  } catch (error) {
    fail(error);
    return undefined;
  }
}
