import type { HookWarning } from '@tenterhook/protocol';

/** A warning about one hook. */
export interface HandlerWarning extends HookWarning {
  readonly hook_id: string;
  /** It came after its event had been answered. */
  readonly late?: true;
}

/** Where warnings go as they come up. */
export type Warn = (warning: HandlerWarning) => void;
