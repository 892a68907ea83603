import createDebug from 'debug';

/** Writes a line to stderr when `DEBUG` names its namespace (`DEBUG=tenterhook:*`). `enabled` spares the work of preparing values. */
export type Log = ((format: string, ...values: unknown[]) => void) & { readonly enabled: boolean };

export function createLog(namespace: string): Log {
  const debug = createDebug(`tenterhook:${namespace}`);
  const write = (format: string, ...values: unknown[]) => debug(format, ...values);
  // debug 4 has `enabled` undefined as long as nothing at all is enabled.
  return Object.defineProperty(write, 'enabled', { get: () => debug.enabled === true }) as Log;
}

export const log = createLog('bus');
