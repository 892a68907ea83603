import type { Diagnostic, DiagnosticCode, HookDefinition, HookSwitches, LoadSkip, ParsedSettings } from '@tenterhook/protocol';

/** Why a file must not decide what runs: another user owns the file or a directory on its path, or can write it. */
export interface OwnerRefusal {
  readonly code: DiagnosticCode;
  /** A sentence with the path and the value. */
  readonly message: string;
  readonly remedy: string;
}

/**
 * Checks who owns settings files and who can write them. One object serves one reading of the settings and remembers what it has checked.
 */
export interface FileOwners {
  /** Returns why a settings file of a repository must not be read. Undefined if it may be read, and for files outside of repositories. */
  refuseToRead(file: string, source: string): OwnerRefusal | undefined;
  /**
   * Returns why hooks in a settings file of the user or the administrator must not run. Undefined if they may run, and for files of other
   * sources.
   */
  refuseToRun(file: string, source: string): OwnerRefusal | undefined;
  /** Returns whether a hook that must not run causes a question or a denial (`objects`). */
  objectionOf(hook: HookDefinition): Pick<LoadSkip, 'objects'>;
}

/** Returns the diagnostic about a file that is not read. */
export function unreadFile({ code, message, remedy }: OwnerRefusal, file: string, source: string): Diagnostic {
  return { code, severity: 'error', message: `${message} The settings file is not read.`, remedy, file, source };
}

/**
 * Returns the settings of a file, unchanged if its owner and all users who can write it are trusted. Otherwise all its hooks are skipped,
 * and only switches that restrict hooks are kept.
 */
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

/**
 * Skips a hook, because another user may have written it. If it is a guard, it still asks or denies. Otherwise a change of the file's mode
 * would switch the guard off.
 */
function refuseHook(hook: HookDefinition, reason: string, owners: FileOwners): HookDefinition {
  return { ...hook, skip: { skipReason: 'untrusted', reason: `${hook.id} does not run: ${reason}`, ...owners.objectionOf(hook) } };
}

/** Returns the switches that restrict hooks. Switches that disable guards are ignored, because another user may have written them. */
function restrictingSwitches({ enabled, offByDefault, managedOnly, allowedUrls, allowedHeaderVariables }: HookSwitches): HookSwitches {
  return {
    ...(enabled?.value === true ? { enabled } : {}),
    ...(offByDefault === undefined ? {} : { offByDefault }),
    ...(managedOnly === undefined ? {} : { managedOnly }),
    ...(allowedUrls === undefined ? {} : { allowedUrls }),
    // This list also allows hooks of a repository to send variables. Another user may have added names to it, so it is emptied.
    ...(allowedHeaderVariables === undefined ? {} : { allowedHeaderVariables: { ...allowedHeaderVariables, value: [] } }),
  };
}
