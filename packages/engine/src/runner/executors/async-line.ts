import type { Detachment } from '@tenterhook/protocol';
import { isPlainObject } from '@tenterhook/runtime/json';

/** The longest time that a timer of this platform knows. */
const longestMs = 2_147_483_647;

/**
 * What a first line asks for that is `{"async": true}`: that nobody waits for the rest. A line that is not complete yet is read like one that
 * is, as soon as it is an object: many programs print without a last line break and go on for minutes.
 */
export function readAsyncLine(text: string): Detachment | undefined {
  const line = text.trim();
  // Looked at first: of most hooks this is asked for each piece of what they print.
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  const value = parsed(line);
  if (!isPlainObject(value) || value['async'] !== true) return undefined;
  const timeoutMs = value['asyncTimeout'] ?? undefined;
  if (timeoutMs === undefined) return {};
  if (typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= longestMs) return { timeoutMs };
  const shown = JSON.stringify(timeoutMs).slice(0, 40);
  const message = `asyncTimeout is ${shown}, and no number of milliseconds from 1 to ${longestMs}; the hook keeps the time that its settings give it.`;
  return { warnings: [{ code: 'wrong_type', message }] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
