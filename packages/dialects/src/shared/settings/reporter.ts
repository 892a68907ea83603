import type { Diagnostic, DiagnosticCode, SettingsDocument } from '@tenterhook/protocol';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';

export type DocumentPath = readonly (string | number)[];

/** Collects the diagnostics of one document, adds file, line and column to each, and counts what is read of the document. */
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

  /** Call it before a hook is read, or what is in the place of one. Throws where a repository has too many: let it pass. */
  countHook(path: DocumentPath): void {
    this.#document.budget?.countHook(path);
  }

  /** Call it with what a pattern costs: its characters, and the instructions it was compiled to. Throws where they are too many: let it pass. */
  countPattern(instructions: number, path: DocumentPath): void {
    this.#document.budget?.countPattern(instructions, path);
  }
}
