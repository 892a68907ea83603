import { type Diagnostic, formatDiagnostic } from '@tenterhook/protocol';
import type { SettingsFile } from '../../settings/read/read-settings-file.js';
import type { Style } from '../terminal/palette.js';
import { paragraph, type ReportStyle, shortenPaths } from './report-style.js';

const styles: Readonly<Record<Diagnostic['severity'], Style>> = { error: 'red', warning: 'yellow', note: 'cyan' };

/**
 * Formats diagnostics as wrapped lines. If settings of several dialects were found, each line names its dialect, because the same
 * matcher, timeout or exit code means something different in each dialect.
 */
export function renderDiagnosticLines(
  diagnostics: readonly Diagnostic[],
  files: readonly SettingsFile[],
  style: ReportStyle,
  indent = 0,
): string[] {
  const isMixed = dialectsOf(diagnostics, files).size > 1;
  return diagnostics.flatMap((diagnostic) => {
    const { severity, dialect } = diagnostic;
    const tag = isMixed && dialect !== undefined ? `[${dialect.slice(0, 40)}] ` : '';
    const [first = '', ...more] = paragraph(
      `${tag}${shortenPaths(formatDiagnostic(diagnostic), style)}`,
      { indent: 0, hanging: indent + 8, max: 1_040 },
      style,
    );
    return [`${' '.repeat(indent)}${style.paint(styles[severity], severity.padEnd(7))} ${first}`, ...more];
  });
}

/** Returns how many diagnostics there are of each severity: `1 error, 0 warnings, 2 notes`. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const severities = ['error', 'warning', 'note'] as const;
  return severities
    .map((severity) => counted(diagnostics.filter((diagnostic) => diagnostic.severity === severity).length, severity))
    .join(', ');
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function dialectsOf(diagnostics: readonly Diagnostic[], files: readonly SettingsFile[]): ReadonlySet<string> {
  const found = files.filter(({ state }) => state !== 'missing');
  return new Set([...found, ...diagnostics].map(({ dialect }) => dialect).filter((dialect) => dialect !== undefined));
}
