import { timeoutField, timeoutSchema } from '../../../src/parts.js';
import { inventedReporter } from './invented-document.js';

const read = (value: unknown) => {
  const reporter = inventedReporter();
  const timeoutMs = timeoutField(value, ['hooks', 0], { reporter, eventName: 'BeforeTool', hookId: 'h', defaultMs: 30_000 });
  return { timeoutMs, diagnostics: reporter.diagnostics };
};
const reported = (code: string, severity: string, message: string, remedy: string) =>
  expect.objectContaining({ code, severity, message, remedy, path: 'hooks[0].timeout', line: 4, eventName: 'BeforeTool', hookId: 'h' });

test.each([1000, 1001, 5000, 500, 999, 3_600_000])('%j is taken silently', (value) => {
  expect(read(value)).toEqual({ timeoutMs: value, diagnostics: [] });
});

test('without a timeout the default counts', () => {
  expect(read(undefined)).toEqual({ timeoutMs: 30_000, diagnostics: [] });
});

test.each([
  [0, '0', 'Write a number such as 5000.'],
  [-1, '-1', 'Write a number such as 5000.'],
  [0.5, '0.5', 'Write a number such as 5000.'],
  [2147483648, '2147483648', 'Write a number such as 5000.'],
  [null, 'null', 'Write a number such as 5000.'],
  [[5], '[5]', 'Write a number such as 5000.'],
  ['soon', '"soon"', 'Write a number such as 5000.'],
  ['500', '"500"', 'Write 500.'],
  ['5s', '"5s"', 'Write 5000.'],
  [' 2 m ', '" 2 m "', 'Write 120000.'],
  ['250ms', '"250ms"', 'Write 250.'],
])('%j is not a timeout, and the remedy is: %3$s', (value, shown, remedy) => {
  const message = `The timeout must be a number of milliseconds from 1 to 2147483647, and is ${shown}. Using 30000.`;
  expect(read(value)).toEqual({ timeoutMs: 30_000, diagnostics: [reported('invalid_timeout', 'error', message, remedy)] });
});

test.each([
  [1, 'warning', '0.001 s', 'If you meant seconds, write 1000.'],
  [99, 'warning', '0.099 s', 'If you meant seconds, write 99000.'],
  [300, 'note', '0.3 s', 'If you meant seconds, write 300000.'],
  [600, 'note', '0.6 s', 'If you meant seconds, write 600000.'],
  [3_600_001, 'warning', '3600.001 s', 'If that is intended, change nothing.'],
  [2147483647, 'warning', '2147483.647 s', 'If that is intended, change nothing.'],
])('%j counts, and is doubted with a %s', (value, severity, seconds, remedy) => {
  const message = `Timeouts in this format are in milliseconds: ${value} means ${seconds}.`;
  expect(read(value)).toEqual({ timeoutMs: value, diagnostics: [reported('suspicious_timeout', severity, message, remedy)] });
});

test('its schema takes what the field takes', () => {
  const schema = timeoutSchema(30_000);
  expect(schema.parse(undefined)).toBe(30_000);
  for (const value of [1, 5000, 2147483647]) expect(schema.safeParse(value).success).toBe(true);
  for (const value of [0, 2147483648, '5s', null]) expect(schema.safeParse(value).success).toBe(false);
});
