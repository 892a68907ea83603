import {
  type Diagnostic,
  formatDiagnostic,
  type HookDefinition,
  type HookEventName,
  hookIdOf,
  type LoadSkip,
  type SettingsDocument,
} from '@tenterhook/protocol';
import { omitUndefined, pathText } from '@tenterhook/runtime/json';

/** The identity of a hook and its place in a document. */
export interface DefinitionPlace {
  readonly document: SettingsDocument;
  readonly dialect: string;
  readonly eventName: HookEventName;
  /** The event in the dialect's spelling. @default eventName */
  readonly dialectEvent?: string;
  /** The last part of the hook's id. */
  readonly last: string;
  readonly name?: string | undefined;
  readonly line: number | undefined;
  /** The path in the document, for later messages. @default only the line is known */
  readonly path?: readonly (string | number)[];
}

type DefinitionBase = Pick<
  HookDefinition,
  'id' | 'dialect' | 'source' | 'eventName' | 'dialectEvent' | 'name' | 'file' | 'line' | 'column' | 'path'
>;

/** The fields that a definition begins with in every format. */
export function definitionBase({ document, dialect, eventName, last, name, line, path, ...more }: DefinitionPlace): DefinitionBase {
  const { source, file } = document;
  const column = path === undefined ? undefined : document.locate(path)?.column;
  return {
    id: hookIdOf(dialect, source, eventName, last),
    dialect,
    source,
    eventName,
    dialectEvent: more.dialectEvent ?? eventName,
    ...omitUndefined({ name, file, line, column, path: path && pathText(path) }),
  };
}

/** Every event of the hook repeats the diagnostic, so that users see it where the hook is missing. */
export function invalidSkip(problem: Diagnostic): LoadSkip {
  const message = formatDiagnostic(problem);
  return { skipReason: 'invalid', reason: message, warning: { code: problem.code, message } };
}
