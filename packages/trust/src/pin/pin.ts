import type { ReachedEntry } from '../reach/reach.js';
import { canonicalJson, sha256 } from './canonical-json.js';

/** What a person accepts, as plain JSON. */
export interface PinnedHook {
  /** The real path of the project directory. A copy of the project elsewhere has other pins. */
  readonly project: string;
  readonly dialect: string;
  /** What decides when, how, how long and with what the hook runs. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The environment variables that settings of the repository set for the hook. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the hook reaches in the project (`Reach`). */
  readonly reach: { readonly entries: readonly ReachedEntry[]; readonly open: readonly string[] };
}

/**
 * Returns the pin of a hook: the SHA-256 of everything that a person accepts with it, as 64 hexadecimal digits. Equal hooks have one pin,
 * whatever their places in the settings.
 */
export function pinOf({ project, dialect, definition, environment, reach: { entries, open } }: PinnedHook): string {
  return sha256(canonicalJson({ v: 1, project, dialect, definition, environment, reach: { entries, open } }));
}

/**
 * Returns the hash by which the same hook is recognised in another directory: its definition and the content that it reaches, without the
 * project.
 */
export function contentOf({ dialect, definition, environment, reach: { entries, open } }: PinnedHook): string {
  return sha256(canonicalJson({ dialect, definition, environment, reach: { entries, open } }));
}
