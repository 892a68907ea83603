import type { Diagnostic, DiagnosticCode, SettingsDocument } from '@tenterhook/protocol';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';

export type DocumentPath = readonly (string | number)[];

/** Collects the diagnostics of one document, and adds file, line and column to each. */
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
}
