/** Formats a duration: `< 1 ms`, `41 ms`, `1.24 s`, `12.3 s`, `2 m 05 s`. The same words as on the terminal. */
export function formatDuration(ms: number | undefined): string {
  if (ms === undefined || !Number.isFinite(ms)) return '–';
  if (ms < 1) return ms <= 0 ? '0 ms' : '< 1 ms';
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} m ${String(whole % 60).padStart(2, '0')} s`;
}

/** Formats a time of the day with milliseconds, in the time zone of the reader: `14:03:07.123`. */
export function formatTime(at: number): string {
  const date = new Date(at);
  // The minimal form of a recording has no times: every event is at 0.
  if (!(at > 0) || Number.isNaN(date.getTime())) return '–';
  const two = (value: number) => String(value).padStart(2, '0');
  const ms = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${ms}`;
}

/** Formats a day in the time zone of the reader: `2026-11-22`. */
export function formatDay(at: number): string {
  const date = new Date(at);
  if (!(at > 0) || Number.isNaN(date.getTime())) return '–';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Formats a number with its word: `1 event`, `1,200 events`. */
export function counted(count: number, word: string): string {
  return `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`;
}
