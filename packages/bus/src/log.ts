import createDebug from 'debug';

/** Writes a line to stderr when `DEBUG` names its namespace (`DEBUG=tenterhook:*`). `enabled` spares the work of preparing values. */
export type Log = ((format: string, ...values: unknown[]) => void) & { readonly enabled: boolean };

export function createLog(namespace: string): Log {
  return createDebug(`tenterhook:${namespace}`);
}

export const log = createLog('bus');
