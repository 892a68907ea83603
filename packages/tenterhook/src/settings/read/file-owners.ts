import type { Diagnostic, DiagnosticCode, HookDefinition, HookSwitches, LoadSkip, ParsedSettings } from '@tenterhook/protocol';

/** Why a file must not decide what runs: it, or a directory on its path, belongs to another user, or others may write it. */
export interface OwnerRefusal {
  readonly code: DiagnosticCode;
  /** A sentence with the path and the value. */
  readonly message: string;
  readonly remedy: string;
}

/** Checks who owns and may write settings files. The checks of one reading of the settings share what they have seen. */
export interface FileOwners {
  /** Returns why a file of a repository must not be read. Undefined for files of other levels too. */
  refuseToRead(file: string, source: string): OwnerRefusal | undefined;
  /** Returns why hooks of a settings file of the user or the administrator must not run. Undefined for other files too. */
  refuseToRun(file: string, source: string): OwnerRefusal | undefined;
  /** Returns what a hook of the user means that must not run. */
  objectionOf(hook: HookDefinition): Pick<LoadSkip, 'objects'>;
}

/** Returns the diagnostic about a file that is not read. */
export function unreadFile({ code, message, remedy }: OwnerRefusal, file: string, source: string): Diagnostic {
  return { code, severity: 'error', message: `${message} The settings file is not read.`, remedy, file, source };
}

/** Returns the settings of a file as they count if its owner, or who may write it, is not trusted. Unchanged if they are. */
export function withTrustedOwner(parsed: ParsedSettings, owners: FileOwners | undefined): ParsedSettings {
  const { file, source } = parsed;
  const refusal = file === undefined ? undefined : owners?.refuseToRun(file, source);
  if (owners === undefined || refusal === undefined || file === undefined) return parsed;
  const { code, message, remedy } = refusal;
  const diagnostic: Diagnostic = { code, severity: 'error', message: `${message} Hooks of this file do not run.`, remedy, file, source };
  const reason = `${message} ${remedy}`;
  return {
    ...parsed,
    hooks: parsed.hooks.map((hook) => (hook.skip === undefined ? refuseHook(hook, reason, owners) : hook)),
    diagnostics: [diagnostic, ...parsed.diagnostics],
    ...(parsed.switches === undefined ? {} : { switches: restrictingSwitches(parsed.switches) }),
  };
}

/** The guard does not run, because another user may have written it. It objects, because otherwise a change of its mode would switch it off. */
function refuseHook(hook: HookDefinition, reason: string, owners: FileOwners): HookDefinition {
  return { ...hook, skip: { skipReason: 'untrusted', reason: `${hook.id} does not run: ${reason}`, ...owners.objectionOf(hook) } };
}

/** Returns the switches that limit hooks. Those that switch guards off do not count, because another user may have written them. */
function restrictingSwitches({ enabled, offByDefault, managedOnly, allowedUrls, allowedHeaderVariables }: HookSwitches): HookSwitches {
  return {
    ...(enabled?.value === true ? { enabled } : {}),
    ...(offByDefault === undefined ? {} : { offByDefault }),
    ...(managedOnly === undefined ? {} : { managedOnly }),
    ...(allowedUrls === undefined ? {} : { allowedUrls }),
    // The list is also one of what hooks of a repository may send, so it must not be longer than its owner wrote it.
    ...(allowedHeaderVariables === undefined ? {} : { allowedHeaderVariables: { ...allowedHeaderVariables, value: [] } }),
  };
}
