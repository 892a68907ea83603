import { pathText } from '@tenterhook/runtime/json';
import * as z from '@tenterhook/runtime/schema';
import { describeThrown } from '@tenterhook/runtime/text';
import { sha256 } from '../pin/canonical-json.js';
import { type PinnedHook, pinOf } from '../pin/pin.js';

/** One decision about one hook. */
export interface TrustRecord {
  readonly v: 1;
  /** The pin that is computed from the fields below (`pinOf`). It is also the name of the file. */
  readonly pin: string;
  /** The real path of the project directory (`realProject`). */
  readonly project: string;
  /** Names of the hook for people. Of these fields, only `dialect` is part of the pin. */
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
  /** How the decision was made: with `tenterhook trust`, by the program that runs the hooks, or with a file of pins. */
  readonly by: 'terminal' | 'host' | 'pins';
}

/** What was decided. */
export type Decision = 'trusted' | 'denied';

/** What the path of a file says about its decision. The content of the file must say the same. */
export interface RecordPlace {
  readonly pin: string;
  readonly decision: Decision;
  /** The SHA-256 of the project's path. */
  readonly projectHash: string;
}

/** A longer record is ignored (bytes). */
export const maxRecordBytes = 1024 * 1024;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const entry = z.strictObject({
  path: z.string(),
  kind: z.enum(['file', 'folder', 'link', 'absent']),
  executable: z.literal(true).optional(),
  sha256: hash.optional(),
  target: z.string().optional(),
});

const reason = z.strictObject({ kind: z.enum(['code', 'loaded', 'data']), text: z.string() });

const recordSchema = z.strictObject({
  v: z.literal(1),
  decision: z.enum(['trusted', 'denied']),
  pin: hash,
  project: z.string(),
  hook: z.looseObject({ label: z.string(), dialect: z.string(), event: z.string(), command: z.string().optional() }),
  definition: z.record(z.string(), z.unknown()),
  environment: z.record(z.string(), z.string()),
  reach: z.strictObject({ entries: z.array(entry), open: z.array(reason) }),
  at: z.string(),
  by: z.enum(['terminal', 'host', 'pins']),
});

/** Returns the fields of a record that its pin includes. */
export function pinnedHookOf({ project, hook, definition, environment, reach }: TrustRecord): PinnedHook {
  return { project, dialect: hook.dialect, definition, environment, reach };
}

/**
 * Returns the content of a decision's file. The content includes the decision, so that a denied record does not become a trusted one by a
 * rename.
 */
export function writeRecord(record: TrustRecord, decision: Decision): Buffer {
  return Buffer.from(`${JSON.stringify({ ...record, decision }, undefined, 2)}\n`);
}

/** Reads the file of a decision. `problem` is the rest of a sentence that begins with the path of the file. */
export function readRecord(bytes: Uint8Array, place: RecordPlace): { readonly record: TrustRecord } | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const version = (value as { v?: unknown } | null)?.v;
    if (typeof version === 'number' && version !== 1)
      return { problem: `has the version ${version}, and this version of Tenterhook reads 1` };
    const { success, error } = z.safeParse(recordSchema, value);
    if (!success) return { problem: `is not a record of a decision: ${describeIssue(error.issues[0])}` };
    // The result of the schema is not used. It lacks a key "__proto__", which would then be missing from the pin.
    const { decision, ...record } = value as TrustRecord & { readonly decision: Decision };
    if (decision !== place.decision)
      return { problem: `has the name of a record with the decision "${place.decision}", but contains the decision "${decision}"` };
    if (sha256(record.project) !== place.projectHash)
      return { problem: `is a decision about another project, ${JSON.stringify(record.project)}` };
    const pin = pinOf(pinnedHookOf(record));
    if (pin !== place.pin || record.pin !== pin) return { problem: `was changed: its name must be the pin of its content, ${pin}` };
    return { record };
  } catch (error) {
    // The JSON or the UTF-8 is invalid, or the nesting is so deep that computing the pin overflowed the stack.
    return { problem: `cannot be read: ${describeThrown(error)}` };
  }
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  const path = pathText((issue?.path ?? []) as (string | number)[]);
  return path === '' ? `${issue?.message}` : `"${path}": ${issue?.message}`;
}
