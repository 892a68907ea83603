import type { HookEventName } from '@tenterhook/protocol';
import * as z from 'zod';
import { formatValue } from '../text.js';
import type { DocumentPath, Reporter } from './reporter.js';

export const onErrorSchema = z
  .enum(['continue', 'block'])
  .default('continue')
  .describe('What a failure or a timeout of the hook means: the operation goes on (continue) or is denied (block).');

export interface OnErrorContext {
  readonly reporter: Reporter;
  readonly eventName: HookEventName;
  readonly hookId?: string;
  /** What the format calls it. @default 'onError' */
  readonly field?: string;
}

/** What a failure of a hook means; ours where a format has none, so that a user can close a guard that other agents would leave open. */
export function onErrorField(
  value: unknown,
  path: DocumentPath,
  { reporter, eventName, hookId, field = 'onError' }: OnErrorContext,
): 'continue' | 'block' {
  if (value === undefined || value === 'continue') return 'continue';
  if (value === 'block') return 'block';
  const message = `"${field}" is ${formatValue(value)}; a failure of this hook lets the operation go on.`;
  const remedy = 'Write "continue" or "block".';
  reporter.report('invalid_field', 'error', [...path, field], message, {
    remedy,
    eventName,
    ...(hookId === undefined ? {} : { hookId }),
  });
  return 'continue';
}
