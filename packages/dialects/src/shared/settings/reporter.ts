import type { Diagnostic, DiagnosticCode, SettingsDocument } from '@tenterhook/protocol';
import { pathText } from '@tenterhook/runtime/json';

export type DocumentPath = readonly (string | number)[];

/** Collects the diagnostics of one document, each with its place in the file. */
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
    more: { remedy?: string; eventName?: string; hookId?: string } = {},
  ): Diagnostic {
    const place = this.#document.locate(path);
    const diagnostic: Diagnostic = {
      code,
      severity,
      message,
      ...(more.remedy === undefined ? {} : { remedy: more.remedy }),
      ...(this.#document.file === undefined ? {} : { file: this.#document.file }),
      ...(place === undefined ? {} : place),
      path: pathText(path),
      dialect: this.#dialect,
      source: this.#document.source,
      ...(more.eventName === undefined ? {} : { eventName: more.eventName }),
      ...(more.hookId === undefined ? {} : { hookId: more.hookId }),
    };
    this.diagnostics.push(diagnostic);
    return diagnostic;
  }
}
