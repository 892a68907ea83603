import { omitUndefined } from '@tenterhook/runtime/json';

/** The reasons of a verdict, or of whoever passes them on, as far as there are any. */
export function reasonsOf({ reason, stopReason }: { readonly reason?: string | undefined; readonly stopReason?: string | undefined }): {
  reason?: string;
  stopReason?: string;
} {
  return omitUndefined({ reason, stopReason });
}
