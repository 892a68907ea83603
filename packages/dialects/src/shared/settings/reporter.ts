import type { Diagnostic, DiagnosticCode, SettingsDocument } from '@tenterhook/protocol';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';

export type DocumentPath = readonly (string | number)[];

/**
 * Collects the diagnostics of one document, and adds file, line and column. It also counts hooks and patterns, and checks the
 * limits of the document.
 */
export class Reporter {
  readonly diagnostics: Diagnostic[] = [];
  readonly #document: SettingsDocument;
  readonly #dialect: string;

  constructor(document: SettingsDocument, dialect: string) {
    this.#document = document;
    this.#dialect = dialect;
  }

  report(
    code: DiagnosticCode,
    severity: Diagnostic['severity'],
    path: DocumentPath,
    message: string,
    more: { remedy?: string | undefined; eventName?: string | undefined; hookId?: string | undefined } = {},
  ): Diagnostic {
    this.#document.budget?.countDiagnostic(path);
    const place = this.#document.locate(path);
    const diagnostic: Diagnostic = {
      code,
      severity,
      message,
      ...omitUndefined({ remedy: more.remedy, file: this.#document.file }),
      ...place,
      path: pathText(path),
      dialect: this.#dialect,
      source: this.#document.source,
      ...omitUndefined({ eventName: more.eventName, hookId: more.hookId }),
    };
    this.diagnostics.push(diagnostic);
    return diagnostic;
  }

  /**
   * Counts a hook. Call this method before you read any hook, even an invalid one. Throws if there are too many hooks. Do not catch
   * this error.
   */
  countHook(path: DocumentPath): void {
    this.#document.budget?.countHook(path);
  }

  /** Counts the compiled instructions of a pattern. Throws if all patterns together are too large. Do not catch this error. */
  countPattern(instructions: number, path: DocumentPath): void {
    this.#document.budget?.countPattern(instructions, path);
  }
}
