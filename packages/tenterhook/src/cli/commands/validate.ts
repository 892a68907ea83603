import { type Diagnostic, hookEventNames } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import { countDiagnostics, counted, renderDiagnosticLines } from '../../output/reports/diagnostic-lines.js';
import { paragraph, type ReportStyle, shortenPaths } from '../../output/reports/report-style.js';
import { renderSettingsFiles } from '../../output/reports/settings-files.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, printError, printJson, styleOf } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { countSwitchedOff, firstSteps, loadHooks, type SettingsFlags } from '../hooks/load-hooks.js';
import { reportTrust, untrustedHooks } from '../hooks/trust-flags.js';

export interface ValidateFlags extends SettingsFlags {
  readonly json?: boolean;
  /** Exit with 1 for warnings, too. */
  readonly strict?: boolean;
  /** Print errors and warnings only. */
  readonly quiet?: boolean;
}

/** Reports every problem of the settings, including notes. Resolves to the exit status: 1 if a hook or a file is ignored. */
export async function validate(flags: ValidateFlags, context: CommandContext): Promise<number> {
  const { hooks, note } = await loadHooks(flags, context, { checksScripts: true });
  if (note !== undefined) printError(context, note);
  reportTrust(hooks, flags, context);
  try {
    const { diagnostics, files } = hooks;
    // Hooks that are switched off are valid but do not run. Users who check their settings need to see them.
    const off = countSwitchedOff(hookEventNames.flatMap((eventName) => hooks.off[eventName]));
    if (off !== undefined && !flags.quiet) printError(context, off);
    const valid = diagnostics.every((diagnostic) => diagnostic.severity !== 'error');
    const untrusted = untrustedHooks(hooks).map(({ id, trust, skip }) => ({ hookId: id, trust: trust.state, reason: skip.reason }));
    if (flags.json) printJson(context, { valid, files, diagnostics, ...(untrusted.length === 0 ? {} : { untrusted }) });
    else context.stdout.write(flags.quiet ? problemsOf(hooks, styleOf(context)) : textOf(hooks, flags, styleOf(context)));
    return isAccepted(diagnostics, flags) ? ExitStatus.ok : ExitStatus.expectedFailure;
  } finally {
    await hooks.dispose();
  }
}

function isAccepted(diagnostics: readonly Diagnostic[], { strict }: ValidateFlags): boolean {
  return diagnostics.every(({ severity }) => severity === 'note' || (severity === 'warning' && !strict));
}

/** Returns the errors and warnings, formatted. Empty if there are none. */
function problemsOf({ diagnostics, files }: OpenHooks, style: ReportStyle): string {
  const problems = diagnostics.filter(({ severity }) => severity !== 'note');
  return problems.length === 0 ? '' : joinParagraphs([renderDiagnosticLines(problems, files, style)]);
}

/** Returns the files that were read, each with its format and number of hooks, then the problems, then a count. */
function textOf(hooks: OpenHooks, { dialect }: ValidateFlags, style: ReportStyle): string {
  const { diagnostics, files } = hooks;
  // A file that the user named has the state `broken` also if it does not exist. A missing file must not count as found.
  const unreadable = new Set(diagnostics.flatMap(({ code, file }) => (code === 'unreadable_file' ? [file] : [])));
  const found = files.filter(({ file, state }) => state === 'read' || (state === 'broken' && !unreadable.has(file))).length;
  const summary = `${found} of ${counted(files.length, 'settings file')} found: ${countDiagnostics(diagnostics)}.${firstSteps(hooks)}`;
  return joinParagraphs([
    renderSettingsFiles(hooks, style, { dialect }),
    renderDiagnosticLines(diagnostics, files, style),
    renderUntrusted(hooks, style),
    paragraph(summary, { indent: 0 }, style),
  ]);
}

/** Returns the valid hooks that do not run because they are not trusted, each with the reason. */
function renderUntrusted(hooks: OpenHooks, style: ReportStyle): string[] {
  const untrusted = untrustedHooks(hooks);
  if (untrusted.length === 0) return [];
  const lines = untrusted.flatMap(({ skip }) => paragraph(shortenPaths(skip.reason, style), { indent: 2, hanging: 4 }, style));
  return [style.paint('bold', 'Not trusted'), ...lines];
}
