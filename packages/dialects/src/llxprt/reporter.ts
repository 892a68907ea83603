import { type Diagnostic, type DiagnosticCode, pathText, type SettingsDocument } from '@tenterhook/protocol';

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

/** A value as a message shows it: bounded, on one line. */
export function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Settings that were handed in as an object may hold what no file can. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value that is no JSON';
  }
}
