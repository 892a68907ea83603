import { formatDiagnostic } from '@tenterhook/protocol';
import type { ProjectTrust, TrustEntry, TrustStore } from '@tenterhook/trust';
import type { OpenHooks } from '../../hooks.js';
import type { OpenTrust } from '../../trust/open-trust.js';
import { type CommandContext, printError } from '../context.js';
import { loadHooks, type SettingsFlags } from '../hooks/load-hooks.js';

/** The hooks of a project, and the decisions about them. */
export interface Decisions {
  readonly hooks: OpenHooks;
  readonly gate: ProjectTrust;
  readonly store: TrustStore;
  /** The real path of the project. */
  readonly project: string;
  /** Returns the hooks that come with the project or run its files, with the decisions. */
  entries(): readonly TrustEntry[];
  /** All hooks, also those that need no decision. */
  named(): readonly { readonly id: string; readonly name?: string | undefined }[];
}

/**
 * Codes of problems that prevent the reading of a settings file. The hooks in such a file are unknown, so they cannot be accepted or
 * denied.
 */
const unread = ['foreign_owner', 'writable_by_others', 'not_regular'];

/** Problems that change which hooks run, or that hide hooks. */
const reported = [...unread, 'trust_store', 'trust_policy', 'trusted_hook_gone', 'unreadable_file', 'invalid_json', 'invalid_document'];

/** Opens the decisions about the hooks of a project. Runs no hook. Disposing `hooks` releases everything. */
export async function openDecisions(flags: SettingsFlags, context: CommandContext): Promise<Decisions> {
  let opened: OpenTrust | undefined;
  const onTrust = (trust: OpenTrust) => {
    opened = trust;
  };
  const { hooks } = await loadHooks(flags, context, { trust: { mode: 'store' }, onTrust });
  // The mode is `store`, so `gate` and `store` are not undefined.
  const { gate, store } = opened as unknown as Pick<Decisions, 'gate' | 'store'>;
  return { hooks, gate, store, project: store.project, entries: () => gate.entries(), named: () => hooks.list().map(({ hook }) => hook) };
}

/** Prints the problems that change which hooks run, or that hide hooks. */
export function printProblems({ hooks }: Decisions, context: CommandContext): void {
  for (const diagnostic of hooks.diagnostics)
    if (reported.includes(diagnostic.code)) printError(context, `${diagnostic.severity}: ${formatDiagnostic(diagnostic)}`);
}

/** Tests whether the hook waits for a decision. */
export function isOpen({ state }: TrustEntry): boolean {
  return state === 'new' || state === 'changed';
}

/**
 * Tests whether a hook does not run although the user has not denied it. This includes the unknown hooks of a settings file that is not
 * read. With `--exit-code`, the result decides the exit status.
 */
export function hasUntrusted({ hooks, entries }: Decisions): boolean {
  return (
    entries().some((entry) => isOpen(entry) || entry.state === 'refused') || hooks.diagnostics.some(({ code }) => unread.includes(code))
  );
}
