export { otel } from './otel.js';

export type { LogRecord, OtelOptions } from './otel-options.js';
