import { otel } from '@tenterhook/otel';

test.each<[string, object, string]>([
  ['an unknown option', { span: 'all' }, 'otel has no option "span". Did you mean "spans"?'],
  ['a wrong value', { spans: 'some' }, 'otel: "spans" must be "run", "all" or "none", and is "some".'],
  ['an object without emit()', { logger: {} }, 'otel: "logger" must be an object with emit()'],
  ['options that are null', null as never, 'The options of otel must be an object, and are null.'],
  ['an array', [] as never, 'The options of otel must be an object, and are an array.'],
  ['a provider', (() => {}) as never, 'The options of otel must be an object, and are a function.'],
  ['a single name of baggage', { baggage: 'user' }, 'otel: "baggage" must be an array of names, and is "user".'],
  ['a text for a boolean', { content: 'false' }, 'otel: "content" must be true or false, and is "false".'],
  ['a name of a provider', { tracerProvider: 'global' }, 'otel: "tracerProvider" must be an object with getTracer(), and is "global".'],
  [
    'another prefix',
    { hookCallPrefix: 'gemini', logger: { emit: () => {} } },
    'otel: "hookCallPrefix" must be "gemini_cli" or "llxprt_code", and is "gemini".',
  ],
  ['a prefix without a logger', { hookCallPrefix: 'gemini_cli' }, 'otel: "hookCallPrefix" needs "logger"'],
])('%s is refused', (_, options, message) => {
  expect(() => otel(options)).toThrow(message);
});
