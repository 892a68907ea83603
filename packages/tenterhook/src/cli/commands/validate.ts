import { type Diagnostic, hookEventNames } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import { countDiagnostics, counted, renderDiagnosticLines } from '../../output/reports/diagnostic-lines.js';
import { paragraph, type ReportStyle } from '../../output/reports/report-style.js';
import { renderSettingsFiles } from '../../output/reports/settings-files.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, printError, printJson, styleOf } from '../context.js';
import { ExitStatus } from '../exit-status.js';
import { firstSteps, formatSwitchedOffNote, loadHooks, type SettingsFlags } from '../load-hooks.js';

export interface ValidateFlags extends SettingsFlags {
  readonly json?: boolean;
  /** Warnings change the exit status too. */
  readonly strict?: boolean;
  /** Print problems only. */
  readonly quiet?: boolean;
}

/** Reports every problem of the settings, including notes. Resolves to the exit status: 1 when a hook or a file does not count. */
export async function validate(flags: ValidateFlags, context: CommandContext): Promise<number> {
  const { hooks, note } = await loadHooks(flags, context);
  if (note !== undefined) printError(context, note);
  try {
    const { diagnostics, files } = hooks;
    // Hooks that are off are valid but do not run, so a user who validates the settings must see them.
    const off = formatSwitchedOffNote(hookEventNames.flatMap((eventName) => hooks.off[eventName]));
    if (off !== undefined) printError(context, off);
    const valid = diagnostics.every((diagnostic) => diagnostic.severity !== 'error');
    if (flags.json) printJson(context, { valid, files, diagnostics });
    else if (!flags.quiet || diagnostics.length > 0) context.stdout.write(textOf(hooks, flags, styleOf(context)));
    return isAccepted(diagnostics, flags) ? ExitStatus.ok : ExitStatus.expectedFailure;
  } finally {
    await hooks.dispose();
  }
}

function isAccepted(diagnostics: readonly Diagnostic[], { strict }: ValidateFlags): boolean {
  return diagnostics.every(({ severity }) => severity === 'note' || (severity === 'warning' && !strict));
}

/** Which files were read, in which format and with how many hooks; their problems; and a count. */
function textOf(hooks: OpenHooks, { dialect, quiet }: ValidateFlags, style: ReportStyle): string {
  const { diagnostics, files } = hooks;
  const problems = renderDiagnosticLines(diagnostics, files, style);
  if (quiet) return joinParagraphs([problems]);
  const found = files.filter((file) => file.state !== 'missing').length;
  const summary = `${found} of ${counted(files.length, 'settings file')} found: ${countDiagnostics(diagnostics)}.${firstSteps(hooks)}`;
  return joinParagraphs([renderSettingsFiles(hooks, style, { dialect }), problems, paragraph(summary, { indent: 0 }, style)]);
}
