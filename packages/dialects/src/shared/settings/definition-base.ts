import {
  type Diagnostic,
  formatDiagnostic,
  type HookDefinition,
  type HookEventName,
  hookIdOf,
  type LoadSkip,
  type SettingsDocument,
} from '@tenterhook/protocol';
import { pathText } from '@tenterhook/runtime/json';

/** What tells a hook of a document from all others. */
export interface DefinitionPlace {
  readonly document: SettingsDocument;
  readonly dialect: string;
  readonly eventName: HookEventName;
  /** The event as the dialect spells it. @default eventName */
  readonly dialectEvent?: string;
  /** The last part of its id. */
  readonly last: string;
  readonly name?: string | undefined;
  readonly line: number | undefined;
  /** Where it stands, for what is said of it later. @default its line alone is known */
  readonly path?: readonly (string | number)[];
}

type DefinitionBase = Pick<
  HookDefinition,
  'id' | 'dialect' | 'source' | 'eventName' | 'dialectEvent' | 'name' | 'file' | 'line' | 'column' | 'path'
>;

/** Whose a hook is, and where it stands: what a definition begins with in every format. */
export function definitionBase({ document, dialect, eventName, last, name, line, path, ...more }: DefinitionPlace): DefinitionBase {
  const { source, file } = document;
  const column = path === undefined ? undefined : document.locate(path)?.column;
  return {
    id: hookIdOf(dialect, source, eventName, last),
    dialect,
    source,
    eventName,
    dialectEvent: more.dialectEvent ?? eventName,
    ...(name === undefined ? {} : { name }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(path === undefined ? {} : { path: pathText(path) }),
  };
}

/** The diagnostic stands with every event of the hook, so that nobody has to go looking for it. */
export function invalidSkip(problem: Diagnostic): LoadSkip {
  const message = formatDiagnostic(problem);
  return { skipReason: 'invalid', reason: message, warning: { code: problem.code, message } };
}
