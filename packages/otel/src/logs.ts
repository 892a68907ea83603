import { type Context, ROOT_CONTEXT } from '@opentelemetry/api';
import type { Diagnostic, HookDefinition, HookOutcome, Verdict } from '@tenterhook/protocol';
import { attributes, names } from './attributes.js';
import { errorTypeOf, isFailure } from './failures.js';
import type { LogRecord, Settings } from './otel-options.js';
import { safely } from './safely.js';
import { shownHook } from './shown-name.js';

/** The severities of the logs data model. */
const info = { severityNumber: 9, severityText: 'INFO' } as const;
const warn = { severityNumber: 13, severityText: 'WARN' } as const;

type Fields = LogRecord['attributes'];

/** Writes the records of logs. None of them has a payload. */
export class HookLogs {
  readonly #logger: NonNullable<Settings['logger']>;
  readonly #prefix: string | undefined;

  constructor(logger: NonNullable<Settings['logger']>, prefix: string | undefined) {
    this.#logger = logger;
    this.#prefix = prefix;
  }

  hookEnded(hook: HookDefinition, outcome: HookOutcome, context: Context): void {
    if (isFailure(outcome)) {
      const { id, name = hook.dialect } = shownHook(hook);
      this.#emit(names.hookFailed, warn, `The ${hook.eventName} hook "${name}" failed (${outcome.status}).`, context, {
        [attributes.eventName.name]: hook.eventName,
        [attributes.hookId.name]: id,
        [attributes.hookStatus.name]: outcome.status,
        [attributes.errorType.name]: errorTypeOf(outcome) ?? '_OTHER',
      });
    }
    if (this.#prefix !== undefined) this.#hookCall(this.#prefix, hook, outcome, context);
  }

  eventEnded(eventName: string, { kind, by }: Verdict, context: Context): void {
    if (kind !== 'deny') return;
    this.#emit(names.eventDenied, info, `${eventName} was denied.`, context, {
      [attributes.eventName.name]: eventName,
      [attributes.verdictByCount.name]: by.length,
    });
  }

  settings(diagnostics: readonly Diagnostic[]): void {
    for (const { code, severity, file, line } of diagnostics) {
      if (severity !== 'error' && severity !== 'warning') continue;
      this.#emit(names.settingsProblem, warn, `The settings have a problem: ${code}.`, ROOT_CONTEXT, {
        [attributes.diagnosticCode.name]: code,
        // Only the name of the file: its path may contain the name of the user or of a customer.
        ...(file === undefined ? {} : { [attributes.fileName.name]: file.split(/[/\\]/).at(-1) ?? file }),
        ...(line === undefined ? {} : { [attributes.lineNumber.name]: line }),
      });
    }
  }

  /** The record of Gemini CLI and LLxprt, with the names and types of their fields. */
  #hookCall(prefix: string, hook: HookDefinition, outcome: HookOutcome, context: Context): void {
    const eventName = `${prefix}.hook_call`;
    const success = !isFailure(outcome) && outcome.status !== 'cancelled';
    const fields: Record<string, string | number | boolean> = {
      'event.name': 'hook_call',
      'event.timestamp': new Date().toISOString(),
      hook_event_name: hook.eventName,
      hook_type: hook.action.kind,
      hook_name: shownHook(hook).name ?? hook.dialect,
      duration_ms: Math.round(outcome.durationMs),
      success,
    };
    // Both agents write 0 for a hook without an exit code, for example after a timeout. It is left out here, because 0 means success.
    if (outcome.exitCode !== undefined) fields['exit_code'] = outcome.exitCode;
    const error = errorTypeOf(outcome);
    if (error !== undefined) fields['error'] = error;
    this.#emit(eventName, info, `Hook call ${hook.eventName}.${fields['hook_name']} ${success ? 'succeeded' : 'failed'}`, context, fields);
  }

  #emit(eventName: string, severity: typeof info | typeof warn, body: string, context: Context, fields: Fields): void {
    const record = { eventName, timestamp: Date.now(), ...severity, body, attributes: fields, context };
    // A logger of the host may also return a promise that rejects.
    safely('logs', () => this.#logger.emit(record) as unknown);
  }
}
