import { hookEventNames } from '@tenterhook/protocol';
import type { OpenHooks } from '../../hooks.js';
import { countDiagnostics, counted, renderDiagnosticLines } from '../../output/reports/diagnostic-lines.js';
import { renderSettingsFiles } from '../../output/reports/settings-files.js';
import { plainPaint } from '../../output/terminal/palette.js';
import { joinParagraphs } from '../../output/terminal/text-layout.js';
import { type CommandContext, printError, printJson } from '../context.js';
import { ExitStatus } from '../exit-status.js';
import { countSwitchedOff, loadHooks, type SettingsFlags } from '../load-hooks.js';

export interface ValidateFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** Reports every problem of the settings, including notes. Resolves to the exit status: 1 when a hook or a file does not count. */
export async function validate(flags: ValidateFlags, context: CommandContext): Promise<number> {
  const { hooks, note } = await loadHooks(flags, context, { checksScripts: true });
  if (note !== undefined) printError(context, note);
  try {
    const { diagnostics, files } = hooks;
    // Hooks that are off are valid but do not run, so a user who validates the settings must see them.
    const off = countSwitchedOff(hookEventNames.flatMap((eventName) => hooks.off[eventName]));
    if (off !== undefined) printError(context, off);
    const valid = diagnostics.every((diagnostic) => diagnostic.severity !== 'error');
    if (flags.json) printJson(context, { valid, files, diagnostics });
    else context.stdout.write(textOf(hooks, flags.dialect));
    return valid ? ExitStatus.ok : ExitStatus.expectedFailure;
  } finally {
    await hooks.dispose();
  }
}

/** Which files were read, in which format and with how many hooks; their problems; and a count. */
function textOf(hooks: OpenHooks, dialect: string | undefined): string {
  const { diagnostics, files } = hooks;
  const found = files.filter((file) => file.state !== 'missing').length;
  return joinParagraphs([
    renderSettingsFiles(hooks, plainPaint, { dialect }),
    renderDiagnosticLines(diagnostics, files, plainPaint),
    [`${found} of ${counted(files.length, 'settings file')} found: ${countDiagnostics(diagnostics)}.`],
  ]);
}
