/** What must and must not compile: errors. `npm run typecheck` checks this file; it never runs. */

import type { HookRigError } from '@tenterhook/testing';
import { InvalidHookError, SettingsError, SocketTransportError, TenterhookError } from 'tenterhook';

declare function is<Expected>(value: Expected): void;

export function recognised(error: unknown, ofRig: HookRigError) {
  if (error instanceof SettingsError) {
    is<'invalid_settings'>(error.code);
    is<readonly { readonly message: string }[]>(error.diagnostics);
    is<TenterhookError>(error);
  } else if (error instanceof SocketTransportError) {
    is<string>(error.remedy);
    // @ts-expect-error A socket has no such code.
    is<'invalid_settings'>(error.code);
  } else if (error instanceof InvalidHookError) {
    is<TypeError>(error);
    is<TenterhookError>(error);
    is<'invalid_hook'>(error.code);
  } else if (error instanceof TenterhookError) {
    is<string>(error.code);
    is<unknown>(error.cause);
    // @ts-expect-error Only some errors have a remedy.
    is<string>(error.remedy);
  }
  is<TenterhookError>(ofRig);
}

// @ts-expect-error An error has a message.
export const withoutMessage = new TenterhookError('code');
