import { formatReport, type ReportOptions, reportHtml, reportOf, reportSvg } from '@tenterhook/recording';
import { type CommandContext, printJson } from '../context.js';
import { ExitStatus } from '../errors/exit-status.js';
import { readRecordings, reportingFailure } from '../recordings/read-recordings.js';
import { writeReport } from '../testing/write-report.js';

export interface ReportFlags extends ReportOptions {
  readonly json?: boolean;
  readonly html?: string;
  readonly svg?: string;
}

/** Adds up the figures of recordings. Resolves to the exit status: 1 if a recording cannot be read. */
export async function report(files: readonly string[], flags: ReportFlags, context: CommandContext): Promise<number> {
  return reportingFailure(flags, context, async () => {
    const figures = reportOf(await readRecordings(files, context), { by: flags.by, sort: flags.sort });
    const title = files.join(', ');
    if (flags.json) printJson(context, figures);
    else if (flags.html !== undefined)
      writeReport({ option: '--html', path: flags.html, example: 'hooks.html' }, reportHtml(figures, title), context);
    else if (flags.svg !== undefined) writeReport({ option: '--svg', path: flags.svg, example: 'hooks.svg' }, reportSvg(figures), context);
    else context.stdout.write(formatReport(figures, title));
    return ExitStatus.ok;
  });
}
