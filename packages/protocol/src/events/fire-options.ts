import { omitUndefined } from '@tenterhook/runtime/json';
import { requireOptions } from '@tenterhook/runtime/text';

/** How an event is fired. */
export interface FireOptions {
  /** Cancels the event. The result then has the error `cancelled`. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the whole event in milliseconds, including time in the queue. @default only the timeouts of the hooks apply */
  readonly timeoutMs?: number | undefined;
  /**
   * Set this if the input was rewritten after the hooks had answered, e.g. by a user who edits a call. The hooks can then only
   * deny, ask or stop: their rewrites are refused, and their allow has no effect. Only for BeforeTool and PermissionRequest.
   * @default false, an ordinary event
   */
  readonly recheck?: boolean | undefined;
  /**
   * The correlation id of the request and of its progress messages. No other request may be using it. If no hook of the event can
   * match, no request is sent.
   * @default a generated id
   */
  readonly correlationId?: string | undefined;
}

const optionNames = Object.keys({ signal: true, timeoutMs: true, recheck: true, correlationId: true } satisfies Record<
  keyof FireOptions,
  true
>);

type SentOption = 'recheck' | 'correlationId';

/**
 * Splits the options into those that are sent with the request, and those that limit the request. Throws a TypeError for an unknown
 * option: if a misspelt `timeoutMs` were ignored, an event could wait for ever.
 */
export function splitFireOptions(options: FireOptions): {
  sent: Pick<FireOptions, SentOption>;
  limits: Omit<FireOptions, SentOption>;
} {
  requireOptions('fire()', options, optionNames);
  const { recheck, correlationId, ...limits } = options as FireOptions;
  return { sent: omitUndefined({ recheck, correlationId }), limits };
}
