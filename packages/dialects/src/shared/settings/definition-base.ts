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

/** The identity of a hook, and its place in a document. */
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
  /** The path in the document, for later messages. @default messages name only the line */
  readonly path?: readonly (string | number)[];
}

type DefinitionBase = Pick<
  HookDefinition,
  'id' | 'dialect' | 'source' | 'eventName' | 'dialectEvent' | 'name' | 'file' | 'line' | 'column' | 'path'
>;

/** Returns the fields that every hook definition has, in any format. */
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

/**
 * Creates one invalid hook in place of hooks that cannot be read, so that the results of their event report them. `data` is its
 * `dialectData`.
 */
export function invalidDefinition(
  problem: Diagnostic,
  { onError, ...place }: Omit<DefinitionPlace, 'line'> & Pick<HookDefinition, 'onError'>,
  timeoutMs: number,
  data: unknown,
): HookDefinition {
  return {
    ...definitionBase({ ...place, line: problem.line }),
    timeoutMs,
    onError,
    action: { kind: 'command', command: '' },
    skip: invalidSkip(problem),
    dialectData: data,
  };
}

/**
 * Returns the `skip` of an invalid hook. With it, every result of the event repeats the diagnostic, because users look for the
 * missing hook in these results.
 */
export function invalidSkip(problem: Diagnostic): LoadSkip {
  const message = formatDiagnostic(problem);
  return { skipReason: 'invalid', reason: message, warning: { code: problem.code, message } };
}
