import * as z from '@tenterhook/runtime/schema';

/**
 * Something about the settings that their author should know. `error`: a hook or a file is ignored. `warning`: it counts, but not as
 * written. `note`: it counts as written, which may not be what its author meant.
 */
export const diagnosticSchema = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  /** What happened, with the offending value. */
  message: z.string(),
  /** What to write instead. */
  remedy: z.string().optional(),
  file: z.string().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  /** Where in the document, for example `hooks.BeforeTool[1].hooks[0].timeout`. */
  path: z.string().optional(),
  dialect: z.string().optional(),
  source: z.string().optional(),
  /** The event it concerns, if known. */
  eventName: z.string().optional(),
  hookId: z.string().optional(),
});

export type Diagnostic = z.infer<typeof diagnosticSchema>;

/** A diagnostic in one line: `file:line:column  path: message Remedy.` */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, path, message, remedy } = diagnostic;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  const text = [message, remedy].filter((part) => part !== undefined).join(' ');
  return [place, path === undefined || path === '' ? text : `${path}: ${text}`].filter((part) => part !== '').join('  ');
}
