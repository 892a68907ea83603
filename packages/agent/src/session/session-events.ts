import type {
  AggregatedHookResult,
  HookEventName,
  NotificationInput,
  PreCompressInput,
  SessionEndInput,
  SessionStartInput,
} from '@tenterhook/protocol';
import { omitUndefined } from '@tenterhook/runtime/json';
import type { HookClient } from '../client/hook-client.js';
import { contextOf, type HookMessages, messagesOf } from '../client/hook-messages.js';

/** What hooks said to an event that they can accompany and not hold up. */
export interface Announcement extends HookMessages {
  /**
   * For the model: a block `<hook_context>…</hook_context>` that goes into the conversation as it is, and is not shown to the user. Of
   * SessionStart. What the hooks wrote stands in `result`.
   */
  readonly additionalContext?: string;
  /** Absent where the event has no hooks. */
  readonly result?: AggregatedHookResult;
}

export interface AnnounceOptions {
  readonly signal?: AbortSignal | undefined;
}

/** What hooks are told of the session beside its source; each is left out where it is not given. */
export interface SessionStartOptions extends AnnounceOptions {
  readonly model?: { readonly provider?: string | undefined; readonly name?: string | undefined } | undefined;
  /** The agent's instructions to the model. Every hook of the event reads them. */
  readonly systemPrompt?: string | undefined;
  /** Absolute: a file to which hooks may append `export NAME=value` lines, such as the `file` of `createEnvFile()` in `tenterhook`. */
  readonly envFile?: string | undefined;
}

/** A compression of the history, and what hooks are told of it. */
export interface Compression<Compressed> extends AnnounceOptions {
  readonly trigger: PreCompressInput['trigger'];
  readonly compress: () => Compressed | Promise<Compressed>;
  /** What stands in the place of the history, for hooks of PostCompress. @default what `compress` gave, where that is a text */
  readonly summaryOf?: ((compressed: Compressed) => string | undefined) | undefined;
}

/** SessionStart, before the first prompt. Never rejects. */
export function startSessionWithHooks(
  client: HookClient,
  source: SessionStartInput['source'],
  options?: SessionStartOptions,
): Promise<Announcement> {
  const { model, systemPrompt, envFile, signal } = options ?? {};
  const known = omitUndefined({ model_provider: model?.provider, model_name: model?.name, system_prompt: systemPrompt, env_file: envFile });
  return announce(client, 'SessionStart', { source, ...known }, omitUndefined({ signal }));
}

/**
 * SessionEnd, awaited before the process ends: hooks that still run then are ended with it. Never rejects. It counts nothing: an agent that
 * does fires the event itself, with its counts.
 */
export function endSessionWithHooks(
  client: HookClient,
  reason: SessionEndInput['reason'],
  options?: AnnounceOptions,
): Promise<Announcement> {
  return announce(client, 'SessionEnd', { reason }, options);
}

/**
 * PreCompress, then `compress`, then PostCompress: a hook may save the history while it is whole, and look at what became of it. Rejects only
 * with what `compress` or `summaryOf` throws.
 */
export async function compressWithHooks<Compressed>(
  client: HookClient,
  { trigger, compress, summaryOf = textOf, signal }: Compression<Compressed>,
): Promise<Announcement & { readonly compressed: Compressed; readonly after?: AggregatedHookResult }> {
  const announcement = await announce(client, 'PreCompress', { trigger }, omitUndefined({ signal }));
  const compressed = await compress();
  if (!client.has('PostCompress')) return { ...announcement, compressed };
  const compact_summary = summaryOf(compressed);
  const after = await client.fire('PostCompress', { trigger, ...omitUndefined({ compact_summary }) }, omitUndefined({ signal }));
  return { ...announcement, ...messagesOf([announcement.result, after], signal), compressed, after };
}

function textOf(compressed: unknown): string | undefined {
  return typeof compressed === 'string' ? compressed : undefined;
}

/** Notification: the agent wants its user's attention, and hooks may carry it further. Never rejects. */
export function notifyWithHooks(
  client: HookClient,
  notification: {
    readonly type: NotificationInput['notification_type'];
    readonly message: string;
    readonly details?: Record<string, unknown>;
  },
  options?: AnnounceOptions,
): Promise<Announcement> {
  const { type, message, details = {} } = notification;
  return announce(client, 'Notification', { notification_type: type, message, details }, options);
}

async function announce(
  client: HookClient,
  eventName: HookEventName,
  input: Readonly<Record<string, unknown>>,
  { signal }: AnnounceOptions = {},
): Promise<Announcement> {
  if (!client.has(eventName)) return messagesOf([]);
  const result = await client.fire(eventName, input, omitUndefined({ signal }));
  const [additionalContext] = contextOf([result]);
  return { ...messagesOf([result], signal), ...omitUndefined({ additionalContext }), result };
}
