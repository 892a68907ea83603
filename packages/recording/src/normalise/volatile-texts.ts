import { readTraceContext } from '@tenterhook/protocol/internal';

/** Names an id. Equal ids get equal names. */
export type NameId = (id: string) => string;

/** Fields that differ from run to run and mean nothing. They are not compared, wherever they are. */
const volatileFields: ReadonlySet<string> = new Set([
  'correlationId',
  'elapsedMs',
  'durationMs',
  'totalDuration',
  'duration_ms',
  'timestamp',
]);

/** Whether a field is left out. Tools may have an argument `trace`, so only a trace context counts. */
export function isVolatile(name: string, value: unknown): boolean {
  return volatileFields.has(name) || (name === 'trace' && readTraceContext(value) !== undefined);
}

/** Fields whose value is a generated id, in whatever form. */
export const idFields: ReadonlySet<string> = new Set(['tool_use_id', 'tool_call_id', 'session_id']);

const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;
/** The ids of the bus, and of a session without a name. */
const generated = /^(?:[\w-]{21}-\d+|session-[\w-]{8,})$/;
/** Words that may be ids. The minimal form has `id#1`. */
const token = /\bid#\d+\b|[\w-]{8,}/g;

const replacements: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // What mkdtemp has made: six random characters after the name.
  [/(⟦tmp⟧\/(?:[\w.-]*[-.])?)[A-Za-z\d]{6}(?![\w-])/g, '$1*'],
  [/(\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{2,5}\b/g, '$1:port'],
  [/\bpid([ :=]{1,3})\d+/gi, 'pid$1#'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, 'time#'],
  [/\b\d\d:\d\d:\d\d(?:\.\d+)?\b/g, 'time#'],
];

/** Returns a text without what differs from run to run: ids, temporary names, ports, process ids and times. */
export function normaliseText(text: string, knownIds: ReadonlySet<string>, nameId: NameId): string {
  if (generated.test(text)) return nameId(text);
  const named = text.replace(token, (found) => {
    if (knownIds.has(found) || found.startsWith('id#') || generated.test(found)) return nameId(found);
    return found.replace(uuid, nameId);
  });
  return replacements.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), named);
}

/** Collects the values of id fields. They are replaced also where they appear in other texts. */
export function collectIds(value: unknown, ids: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string') collectIds(item, ids);
    else if (idFields.has(key) || key === 'correlationId') ids.add(item);
  }
}
