import { type HookCode, type HookOutcome, hookCodes, type WarningCode } from '@tenterhook/protocol';
import * as z from '@tenterhook/runtime/schema';
import { scriptCodes } from './hook-problems.js';

/** A text that a result must have: a part of it, the whole of it, or a regular expression that finds something in it. */
export type ExpectedText = string | { readonly equals: string } | { readonly matches: string };

/** What the result of a case must be. Fields that are absent are not compared. */
export interface Expectation {
  readonly verdict?: 'none' | 'allow' | 'ask' | 'deny';
  readonly stop?: boolean;
  readonly reason?: ExpectedText;
  readonly context?: ExpectedText;
  /** Hooks that decided, by name or id. */
  readonly by?: readonly string[];
  /** The value of each path that the hooks rewrote. An empty object means that nothing is rewritten. */
  readonly rewrites?: Readonly<Record<string, unknown>>;
  /** How hooks ended, by name or id. */
  readonly hooks?: Readonly<Record<string, HookOutcome['status']>>;
  /** The codes of the warnings that the hooks cause. Any other warning fails the case. */
  readonly warnings?: readonly string[];
}

export interface HookTestCase {
  readonly name: string;
  readonly event: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** How a hook may end, as in outcomes. */
export const statuses = ['succeeded', 'blocked', 'failed', 'timed-out', 'cancelled', 'skipped', 'detached'] as const;

/** The codes of the warnings of a hook. */
export const warningCodes: readonly WarningCode[] = [...(Object.keys(hookCodes) as HookCode[]), ...scriptCodes];

const listOf = (value: unknown) => (typeof value === 'string' ? [value] : value);
const name = z.string().min(1);
const text = z.union([z.string(), z.strictObject({ equals: z.string() }), z.strictObject({ matches: z.string() })]);

const expectation = z
  .strictObject({
    verdict: z.enum(['none', 'allow', 'ask', 'deny']).exactOptional(),
    stop: z.boolean().exactOptional(),
    reason: text.exactOptional(),
    context: text.exactOptional(),
    by: z.preprocess(listOf, z.array(name).min(1)).exactOptional(),
    rewrites: z.record(z.string(), z.unknown()).exactOptional(),
    hooks: z.record(z.string(), z.enum(statuses)).exactOptional(),
    warnings: z.preprocess(listOf, z.array(z.enum(warningCodes))).exactOptional(),
  })
  // A case that expects nothing could not fail.
  .refine((fields) => Object.keys(fields).length > 0, 'It is empty. Write what the case expects, for example { "verdict": "deny" }.');

const testCase = z.strictObject({
  name,
  event: name,
  input: z.record(z.string(), z.unknown()).exactOptional(),
  expect: expectation,
});

/** A file of cases. Paths in it are relative to the file. */
export const testFileSchema = z.strictObject({
  settings: z.preprocess(listOf, z.array(name).min(1)).exactOptional(),
  project: name.exactOptional(),
  dialect: name.exactOptional(),
  cases: z.array(testCase).min(1),
});

/** The fields of each object of a file, for suggestions after a misspelt name. */
export const knownFields = {
  file: ['settings', 'project', 'dialect', 'cases'],
  case: ['name', 'event', 'input', 'expect'],
  expect: ['verdict', 'stop', 'reason', 'context', 'by', 'rewrites', 'hooks', 'warnings'],
  text: ['equals', 'matches'],
} as const;
