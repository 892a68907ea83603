import { type Diagnostic, formatDiagnostic, hookEventNames } from '@tenterhook/protocol';
import { ExitStatus } from '../exit-status.js';
import { escapeForTerminal } from '../output/escape.js';
import { printJson } from '../output/json.js';
import { loadHooks, type SettingsFlags } from './load-hooks.js';
import { say } from './say.js';
import { switchedOffNote } from './switched-off.js';

export interface ValidateFlags extends SettingsFlags {
  readonly json?: boolean;
}

/** Says everything there is to say about the settings, notes included. Resolves to the exit status: 1 when a hook or a file does not count. */
export async function validate(flags: ValidateFlags): Promise<number> {
  const { hooks, note } = await loadHooks(flags);
  if (note !== undefined) say(note);
  try {
    const { diagnostics, files } = hooks;
    // Nothing is wrong with hooks that are off, and they do not run: who asks whether all is well has to hear it.
    const off = switchedOffNote(hookEventNames.flatMap((eventName) => hooks.off[eventName]));
    if (off !== undefined) say(off);
    const valid = diagnostics.every((diagnostic) => diagnostic.severity !== 'error');
    if (flags.json) printJson({ valid, files, diagnostics });
    else process.stdout.write(`${[...diagnostics.map(line), summary(diagnostics, files)].join('\n')}\n`);
    return valid ? ExitStatus.ok : ExitStatus.expectedFailure;
  } finally {
    await hooks.dispose();
  }
}

function line(diagnostic: Diagnostic): string {
  return escapeForTerminal(`${diagnostic.severity.padEnd(7)} ${formatDiagnostic(diagnostic)}`, 1000);
}

function summary(diagnostics: readonly Diagnostic[], files: readonly { state: string }[]): string {
  const count = (severity: Diagnostic['severity']) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const read = files.filter((file) => file.state !== 'missing').length;
  return `${read} of ${files.length} settings files found: ${count('error')} errors, ${count('warning')} warnings, ${count('note')} notes.`;
}
