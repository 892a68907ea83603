import createDebug from 'debug';
import { logLine } from './log-line.js';

/**
 * Writes a line to stderr when `DEBUG` names its namespace (`DEBUG=tenterhook:*`). The format has `%s` and `%d` for text and `%O` for values
 * and errors. What the values hold is masked, bounded and escaped here, so that no caller can forget it; the format is ours and is not.
 * Never throws. `enabled` spares the work of preparing values.
 */
export type Log = ((format: string, ...values: unknown[]) => void) & { readonly enabled: boolean };

export function createLog(namespace: string): Log {
  const debug = createDebug(`tenterhook:${namespace}`);
  const write = (format: string, ...values: unknown[]) => {
    if (debug.enabled === true) debug('%s', logLine(format, values));
  };
  // debug 4 has `enabled` undefined as long as nothing at all is enabled.
  return Object.defineProperty(write, 'enabled', { get: () => debug.enabled === true }) as Log;
}
