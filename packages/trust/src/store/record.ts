import { pathText } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { describeThrown } from '@tenterhook/runtime/text';
import { sha256 } from '../pin/canonical-json.js';
import { type PinnedHook, pinOf } from '../pin/pin.js';

/** One decision about one hook. */
export interface TrustRecord {
  readonly v: 1;
  /** The pin of everything below that decides (`pinOf`). It is the name of the file, too. */
  readonly pin: string;
  /** The real path of the project directory (`realProject`). */
  readonly project: string;
  /** What the hook is, for people. Only `dialect` is part of the pin. */
  readonly hook: {
    readonly label: string;
    readonly dialect: string;
    readonly event: string;
    readonly command?: string | undefined;
    readonly [field: string]: unknown;
  };
  readonly definition: PinnedHook['definition'];
  readonly environment: PinnedHook['environment'];
  readonly reach: PinnedHook['reach'];
  /** When it was decided, as an ISO date. */
  readonly at: string;
  /** How it was decided: at `tenterhook trust`, by the program that runs the hooks, or from a file of pins. */
  readonly by: 'terminal' | 'host' | 'pins';
}

/** What was decided. */
export type Decision = 'trusted' | 'denied';

/** What the name and place of a file say. Its content must agree. */
export interface RecordPlace {
  readonly pin: string;
  readonly decision: Decision;
  /** The SHA-256 of the project's path. */
  readonly projectHash: string;
}

/** A longer record does not count. */
export const maxRecordBytes = 1024 * 1024;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const entry = z.strictObject({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'absent']),
  executable: z.literal(true).optional(),
  sha256: hash.optional(),
  target: z.string().optional(),
});

const recordSchema = z.strictObject({
  v: z.literal(1),
  decision: z.enum(['trusted', 'denied']),
  pin: hash,
  project: z.string(),
  hook: z.looseObject({ label: z.string(), dialect: z.string(), event: z.string(), command: z.string().optional() }),
  definition: z.record(z.string(), z.unknown()),
  environment: z.record(z.string(), z.string()),
  reach: z.strictObject({ entries: z.array(entry), open: z.array(z.string()) }),
  at: z.string(),
  by: z.enum(['terminal', 'host', 'pins']),
});

/** What the pin of a record is made of. */
export function pinnedHookOf({ project, hook, definition, environment, reach }: TrustRecord): PinnedHook {
  return { project, dialect: hook.dialect, definition, environment, reach };
}

/** Returns the file of a decision. The decision is in it too, so that a denied record does not become a trusted one when it is renamed. */
export function writeRecord(record: TrustRecord, decision: Decision): Buffer {
  return Buffer.from(`${JSON.stringify({ ...record, decision }, undefined, 2)}\n`);
}

/** Reads the file of a decision. A problem is the end of a sentence that begins with the file's path. */
export function readRecord(bytes: Uint8Array, place: RecordPlace): { readonly record: TrustRecord } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const version = (value as { v?: unknown } | null)?.v;
    if (typeof version === 'number' && version !== 1)
      return { problem: `has the version ${version}, and this version of Tenterhook reads 1` };
    const { success, error } = z.safeParse(recordSchema, value);
    if (!success) return { problem: `is not a record of a decision: ${describeIssue(error.issues[0])}` };
    // The value itself, and not what the schema returns: it leaves out a key "__proto__", which would then not be part of the pin.
    const { decision, ...record } = value as TrustRecord & { readonly decision: Decision };
    if (decision !== place.decision)
      return { problem: `has the name of a record that is ${place.decision}, but contains one that is ${decision}` };
    if (sha256(record.project) !== place.projectHash)
      return { problem: `is a decision about another project, ${JSON.stringify(record.project)}` };
    const pin = pinOf(pinnedHookOf(record));
    if (pin !== place.pin || record.pin !== pin) return { problem: `was changed: its name is not the pin of its content, which is ${pin}` };
    return { record };
  } catch (error) {
    // Invalid JSON or UTF-8; or nested so deeply that the stack overflows when the pin is computed.
    return { problem: `cannot be read: ${describeThrown(error)}` };
  }
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const path = pathText((issue?.path ?? []) as (string | number)[]);
  return path === '' ? `${issue?.message}` : `"${path}": ${issue?.message}`;
}
