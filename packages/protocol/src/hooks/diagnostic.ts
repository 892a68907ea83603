import * as z from '@tenterhook/runtime/schema';
import { codeSchema, type DiagnosticCode } from '../codes.js';

/** A problem in the settings. `formatDiagnostic()` writes it as one line, with the position and the remedy. */
export interface Diagnostic {
  /** The code never changes. `docs/errors.md` lists all codes. */
  readonly code: DiagnosticCode;
  /**
   * With `error`, a hook or a file is not used. With `warning`, it is used, but not as written. With `note`, it is used as written,
   * but its author may have meant something else.
   */
  readonly severity: 'error' | 'warning' | 'note';
  /** What happened, with the invalid value. The place and the remedy are separate fields. */
  readonly message: string;
  /** What to write instead. */
  readonly remedy?: string | undefined;
  /** The settings file. Missing for settings that the program passed as an object. */
  readonly file?: string | undefined;
  /** Line, counted from 1. */
  readonly line?: number | undefined;
  /** Column, counted from 1. */
  readonly column?: number | undefined;
  /** The path of the value in the document, e.g. `hooks.BeforeTool[1].hooks[0].timeout`. */
  readonly path?: string | undefined;
  /** The format of the settings. */
  readonly dialect?: string | undefined;
  /** Where the settings come from: `project`, `local`, `user`, `system`, `managed`, `settings`, `extension:<name>` … */
  readonly source?: string | undefined;
  /** The event of the hook, if known. */
  readonly eventName?: string | undefined;
  /** The id of the hook, if known. */
  readonly hookId?: string | undefined;
}

export const diagnosticSchema = z.object({
  code: codeSchema<DiagnosticCode>(),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
  remedy: z.string().optional(),
  file: z.string().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  path: z.string().optional(),
  dialect: z.string().optional(),
  source: z.string().optional(),
  eventName: z.string().optional(),
  hookId: z.string().optional(),
}) satisfies z.ZodType<Diagnostic>;

/** Returns a diagnostic as one line: `file:line:column path: message Remedy.` */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, path, message, remedy } = diagnostic;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const text = [message, remedy].filter((part) => part !== undefined).join(' ');
  return [place, path === undefined || path === '' ? text : `${path}: ${text}`].filter((part) => part !== '').join('  ');
}
