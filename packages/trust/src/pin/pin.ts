import type { OpenReason } from '../reach/open-reasons.js';
import type { ReachedEntry } from '../reach/reach.js';
import { canonicalJson, sha256 } from './canonical-json.js';

/** What a person accepts, as plain JSON. */
export interface PinnedHook {
  /** The real path of the project directory. It is part of the pin, so a copy of the project has other pins. */
  readonly project: string;
  readonly dialect: string;
  /** The settings that decide when, how, how long and with what the hook runs. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** The environment variables that settings of the repository set for the hook. */
  readonly environment: Readonly<Record<string, string>>;
  /** The files that the hook uses in the project, and what is unknown (`Reach`). */
  readonly reach: { readonly entries: readonly ReachedEntry[]; readonly open: readonly OpenReason[] };
}

/**
 * Returns the pin of a hook: the SHA-256 of everything that a person accepts with it, as 64 hexadecimal digits. Equal hooks have the same
 * pin, wherever they are in the settings.
 */
export function pinOf({ project, dialect, definition, environment, reach: { entries, open } }: PinnedHook): string {
  return sha256(canonicalJson({ v: 1, project, dialect, definition, environment, reach: { entries, open } }));
}

/**
 * Returns a hash by which the same hook is recognised in another project. It is computed like a pin, but without the path of the project.
 * A hook that starts in the project has this path as its directory too.
 */
export function contentOf({ project, dialect, definition, environment, reach: { entries, open } }: PinnedHook): string {
  const { cwd, ...others } = definition;
  const portable = cwd === project ? others : definition;
  return sha256(canonicalJson({ dialect, definition: portable, environment, reach: { entries, open } }));
}
