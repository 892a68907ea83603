import { formatDiagnostic } from '@tenterhook/protocol';
import type { ProjectTrust, TrustEntry, TrustStore } from '@tenterhook/trust';
import type { OpenHooks } from '../../hooks.js';
import type { OpenTrust } from '../../trust/open-trust.js';
import { type CommandContext, printError } from '../context.js';
import { loadHooks, type SettingsFlags } from '../load-hooks.js';

/** The hooks of a project, and the decisions about them. */
export interface Decisions {
  readonly hooks: OpenHooks;
  readonly gate: ProjectTrust;
  readonly store: TrustStore;
  /** The real path of the project. */
  readonly project: string;
  /** What is known about the hooks that come with the project or run its files. */
  entries(): readonly TrustEntry[];
  /** All hooks, also those that need no decision. */
  named(): readonly { readonly id: string; readonly name?: string | undefined }[];
}

/** Problems because of which a settings file is not read: its hooks are not known, so they cannot be decided. */
const unread = ['foreign_owner', 'writable_by_others', 'not_regular'];

/** Problems that decide what runs, or that keep hooks from being seen. */
const reported = [...unread, 'trust_store', 'trust_policy', 'trusted_hook_gone', 'unreadable_file', 'invalid_json', 'invalid_document'];

/** Opens the decisions about the hooks of a project. Nothing runs. `dispose()` of the hooks releases everything. */
export async function openDecisions(flags: SettingsFlags, context: CommandContext): Promise<Decisions> {
  let opened: OpenTrust | undefined;
  const onTrust = (trust: OpenTrust) => {
    opened = trust;
  };
  const { hooks } = await loadHooks(flags, context, { trust: { mode: 'store' }, onTrust });
  // With the mode `store` there are always both.
  const { gate, store } = opened as unknown as Pick<Decisions, 'gate' | 'store'>;
  return { hooks, gate, store, project: store.project, entries: () => gate.entries(), named: () => hooks.list().map(({ hook }) => hook) };
}

/** Prints the problems that decide what runs, or that keep hooks from being seen. */
export function printProblems({ hooks }: Decisions, context: CommandContext): void {
  for (const diagnostic of hooks.diagnostics)
    if (reported.includes(diagnostic.code)) printError(context, `${diagnostic.severity}: ${formatDiagnostic(diagnostic)}`);
}

/** Whether a person can decide about a hook. */
export function isOpen({ state }: TrustEntry): boolean {
  return state === 'new' || state === 'changed';
}

/** The exit status with `--exit-code`: whether anything does not run that was not denied. */
export function hasUntrusted({ hooks, entries }: Decisions): boolean {
  return (
    entries().some((entry) => isOpen(entry) || entry.state === 'refused') || hooks.diagnostics.some(({ code }) => unread.includes(code))
  );
}
