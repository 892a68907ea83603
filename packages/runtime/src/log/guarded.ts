import { createLog } from './log.js';

const log = createLog('bus');

/**
 * A listener that cannot harm whoever calls it: what it throws is logged, and so is a promise of it that rejects, which would otherwise end
 * the process as an unhandled rejection (field failure 77).
 */
export function guarded<Value>(listener: (value: Value) => unknown, what: string): (value: Value) => void {
  return (value) => {
    try {
      const returned = listener(value);
      if (typeof returned === 'object' && returned !== null) void settle(returned, what);
    } catch (error) {
      log('%s threw: %O', what, error);
    }
  };
}

async function settle(returned: object, what: string): Promise<void> {
  try {
    await returned;
  } catch (error) {
    log('%s rejected: %O', what, error);
  }
}
