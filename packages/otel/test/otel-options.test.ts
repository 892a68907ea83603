import { otel } from '@tenterhook/otel';

test.each<[string, object, string]>([
  ['an unknown option', { span: 'all' }, 'otel has no option "span". Did you mean "spans"?'],
  ['a wrong value', { spans: 'some' }, 'otel: "spans" must be "run", "all" or "none", and is "some".'],
  ['an object without emit()', { logger: {} }, 'otel: "logger" must be an object with emit()'],
  ['a prefix without a logger', { hookCallPrefix: 'gemini_cli' }, 'otel: "hookCallPrefix" needs "logger"'],
])('%s is refused', (_, options, message) => {
  expect(() => otel(options)).toThrow(message);
});
