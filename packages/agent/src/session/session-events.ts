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
import { collectContext, collectMessages, type HookMessages } from '../client/hook-messages.js';

/** The messages of hooks for an event that hooks can observe but not block. */
export interface Announcement extends HookMessages {
  /**
   * Only for SessionStart: context for the model, as a block `<hook_context>…</hook_context>`. Put it into the conversation unchanged, and
   * do not show it to the user.
   */
  readonly additionalContext?: string;
  /** Absent when the event has no hooks. */
  readonly result?: AggregatedHookResult;
}

/** Options of an event that hooks can only observe. */
export interface AnnounceOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Facts about the session for hooks. Fields without a value are left out. */
export interface SessionStartOptions extends AnnounceOptions {
  readonly model?: { readonly provider?: string | undefined; readonly name?: string | undefined } | undefined;
  /** The agent's instructions to the model. Every hook of the event receives them. */
  readonly systemPrompt?: string | undefined;
  /** Absolute path of a file to which hooks may append `export NAME=value` lines, e.g. the `file` of `createEnvFile()` in `tenterhook`. */
  readonly envFile?: string | undefined;
}

/** A compression of the history, and what hooks receive about it. */
export interface Compression<Compressed> extends AnnounceOptions {
  readonly trigger: PreCompressInput['trigger'];
  /** Shortens the history. An error that it throws is rethrown. */
  readonly compress: () => Compressed | Promise<Compressed>;
  /** Returns the summary that replaces the history, for hooks of PostCompress. @default the result of `compress`, if that is a text */
  readonly summaryOf?: ((compressed: Compressed) => string | undefined) | undefined;
}

/** Fires SessionStart, before the first prompt. Never rejects. */
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
 * Fires SessionEnd, and drops the answers of async hooks that were not delivered. Never rejects. Await it before the process ends, because
 * hooks that still run end with the process. To pass further fields to hooks, e.g. the number of tokens or calls, fire the event with
 * `fire`.
 */
export async function endSessionWithHooks(
  client: HookClient,
  reason: SessionEndInput['reason'],
  options?: AnnounceOptions,
): Promise<Announcement> {
  const announcement = await announce(client, 'SessionEnd', { reason }, options);
  // The client may serve another session from now on, e.g. after /clear.
  client.late?.clear();
  return announcement;
}

/**
 * Fires PreCompress, runs `compress`, and fires PostCompress. Hooks can save the history before, and read the summary afterwards. Rejects
 * only with what `compress` or `summaryOf` throws.
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
  return { ...announcement, ...collectMessages([announcement.result, after], signal), compressed, after };
}

function textOf(compressed: unknown): string | undefined {
  return typeof compressed === 'string' ? compressed : undefined;
}

/** Fires Notification: the agent wants the attention of its user. Hooks may forward the message. Never rejects. */
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
  if (!client.has(eventName)) return collectMessages([]);
  const result = await client.fire(eventName, input, omitUndefined({ signal }));
  const [additionalContext] = collectContext([result]);
  return { ...collectMessages([result], signal), ...omitUndefined({ additionalContext }), result };
}
