import type { MeterProvider, TracerProvider } from '@opentelemetry/api';
import { isPlainObject } from '@tenterhook/runtime/json';
import { describeOption, suggestName } from '@tenterhook/runtime/text';

/** A record of a log, as the logs API of OpenTelemetry takes it. */
export interface LogRecord {
  readonly eventName: string;
  readonly timestamp: number;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly body: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly context: unknown;
}

/** What `otel()` takes. All options are optional. */
export interface OtelOptions {
  /**
   * The events that get spans. `run`: those in which a hook ran, and those that were not carried out. `all`: also those in which all hooks were
   * skipped. `none`: no event, so there are metrics alone.
   * @default 'run'
   */
  readonly spans?: 'run' | 'all' | 'none' | undefined;
  /**
   * Whether spans have what events and hooks contain: input, reasons, stdin, stdout and stderr. Known secrets are masked, and each text has at
   * most 4000 characters. @default the environment variable `TENTERHOOK_OTEL_CONTENT`, else false
   */
  readonly content?: boolean | undefined;
  /** Whether metrics have the names of hooks, the first 200 of the process. @default true */
  readonly hookNames?: boolean | undefined;
  /**
   * The names of baggage entries that hooks and other processes receive. Hooks are programs of other people, so choose entries that they may
   * read. @default none
   */
  readonly baggage?: readonly string[] | undefined;
  /** Whether hooks receive the trace context: in their environment, headers or input. @default true */
  readonly hookContext?: boolean | undefined;
  /**
   * Whether hooks in the format of LLxprt receive `traceparent` and `tracestate` in their input. Hooks for Copilot always do, and hooks of other
   * formats never. @default false
   */
  readonly stdinFields?: boolean | undefined;
  /**
   * Whether tool calls get spans `execute_tool`, around their events. For agents that do not make such spans themselves. @default false
   */
  readonly toolSpans?: boolean | undefined;
  /** Whether the `TRACEPARENT` of this process is the parent of events that have none. For agents that run as a child. @default false */
  readonly inheritProcess?: boolean | undefined;
  /** Receives records of failed hooks, denies and problems of the settings: a logger of OpenTelemetry. @default no logs */
  readonly logger?: { emit(record: LogRecord): void } | undefined;
  /**
   * Also emits the records `<prefix>.hook_call` of Gemini CLI (`gemini_cli`) or LLxprt (`llxprt_code`), without payloads, for dashboards that
   * exist. Needs `logger`. @default no such records
   */
  readonly hookCallPrefix?: 'gemini_cli' | 'llxprt_code' | undefined;
  /** @default the global provider */
  readonly tracerProvider?: TracerProvider | undefined;
  /** @default the global provider */
  readonly meterProvider?: MeterProvider | undefined;
}

/** The options with their defaults. */
export type Settings = { readonly [Name in DefaultedName]: NonNullable<OtelOptions[Name]> } & Omit<OtelOptions, DefaultedName>;
type DefaultedName = Exclude<keyof OtelOptions, 'logger' | 'hookCallPrefix' | 'tracerProvider' | 'meterProvider'>;

const isBoolean = (value: unknown) => typeof value === 'boolean';
const has = (method: string) => (value: unknown) => typeof (value as Record<string, unknown> | null)?.[method] === 'function';
const isName = (value: unknown) => typeof value === 'string' && value !== '';

const rules: Readonly<Record<keyof OtelOptions, readonly [expected: string, isValid: (value: unknown) => boolean]>> = {
  spans: ['"run", "all" or "none"', (value) => value === 'run' || value === 'all' || value === 'none'],
  content: ['true or false', isBoolean],
  hookNames: ['true or false', isBoolean],
  baggage: ['an array of names', (value) => Array.isArray(value) && value.every(isName)],
  hookContext: ['true or false', isBoolean],
  stdinFields: ['true or false', isBoolean],
  toolSpans: ['true or false', isBoolean],
  inheritProcess: ['true or false', isBoolean],
  logger: ['an object with emit()', has('emit')],
  hookCallPrefix: ['"gemini_cli" or "llxprt_code"', (value) => value === 'gemini_cli' || value === 'llxprt_code'],
  tracerProvider: ['an object with getTracer()', has('getTracer')],
  meterProvider: ['an object with getMeter()', has('getMeter')],
};

/** Returns the options with their defaults. Throws a TypeError for an unknown option, and for one of the wrong type. */
export function readOptions(options: OtelOptions): Settings {
  const given: unknown = options;
  if (!isPlainObject(given)) throw new TypeError(`The options of otel must be an object, and are ${describeOption(given)}.`);
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof OtelOptions] : undefined;
    if (rule === undefined) {
      const known = Object.keys(rules);
      throw new TypeError(`otel has no option "${name}". ${suggestName(name, known, `Its options are ${known.join(', ')}.`)}`);
    }
    const [expected, isValid] = rule;
    if (value !== undefined && !isValid(value))
      throw new TypeError(`otel: "${name}" must be ${expected}, and is ${describeOption(value)}.`);
  }
  if (options.hookCallPrefix !== undefined && options.logger === undefined) {
    throw new TypeError('otel: "hookCallPrefix" needs "logger", which receives the records.');
  }
  const {
    spans = 'run',
    // Only these two: a word such as `off` must not switch the content on.
    content = ['1', 'true'].includes(process.env['TENTERHOOK_OTEL_CONTENT'] ?? ''),
    hookNames = true,
    baggage = [],
    hookContext = true,
    stdinFields = false,
    toolSpans = false,
    inheritProcess = false,
    ...others
  } = options;
  return { ...others, spans, content, hookNames, baggage, hookContext, stdinFields, toolSpans, inheritProcess };
}
