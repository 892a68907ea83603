import { isAbsolute, relative, sep } from 'node:path';
import { escapeForTerminal } from '../terminal/escape.js';
import { type Paint, plainPaint, type Style } from '../terminal/palette.js';
import { countColumns, wrapTo } from '../terminal/text-layout.js';

/** How a report is printed. */
export interface ReportStyle {
  readonly paint: Paint;
  /** The number of columns for wrapping. Lines that programs read are not wrapped. */
  readonly width: number;
  /** The current directory. Paths in it are shown relative to it. Undefined if it was deleted. */
  readonly directory?: string | undefined;
  /**
   * Returns the unit of timeouts in the settings of a dialect. Timeouts are shown in this unit, because users search for the number that
   * they wrote. @default milliseconds
   */
  readonly timeoutUnitOf?: (dialect: string) => 'ms' | 's';
}

/** No colours, no wrapping, absolute paths. */
export const plainStyle: ReportStyle = { paint: plainPaint, width: Number.POSITIVE_INFINITY };

/** Shows a path relative to the current directory if the file is in it. */
export function shortenPath(file: string, { directory }: Pick<ReportStyle, 'directory'>): string {
  if (directory === undefined) return file;
  const path = relative(directory, file);
  return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? file : path;
}

/** Shortens every path in a sentence, as `shortenPath` does. */
export function shortenPaths(text: string, { directory }: Pick<ReportStyle, 'directory'>): string {
  if (directory === undefined || directory === sep) return text;
  const prefix = `${directory}${sep}`;
  let [rest, shown] = [text, ''];
  for (let at = rest.indexOf(prefix); at >= 0; at = rest.indexOf(prefix)) {
    // If the directory is found in the middle of a longer path, it is not replaced.
    const isWhole = at === 0 || /[\s"'`(=:,]/.test(rest[at - 1] as string);
    shown += rest.slice(0, at) + (isWhole ? '' : prefix);
    rest = rest.slice(at + prefix.length);
  }
  return shown + rest;
}

/** The position of a paragraph in a report. */
export interface ParagraphPlace {
  /** The number of blanks before its first line. */
  readonly indent: number;
  /** The number of blanks before its other lines. @default indent */
  readonly hanging?: number;
  /** The style of the text. @default 'plain' */
  readonly look?: Style;
  /** The maximum number of characters that are shown. @default 1000 */
  readonly max?: number;
}

const maxLines = 40;

/** Formats a text as lines: escaped, shortened, and wrapped between words. The text may come from a hook. */
export function paragraph(
  text: string,
  { indent, hanging = indent, look = 'plain', max = 1_000 }: ParagraphPlace,
  style: ReportStyle,
): string[] {
  const escaped = escapeForTerminal(text, max);
  const width = Math.max(style.width - hanging, 20);
  const lines = style.width === Number.POSITIVE_INFINITY ? [escaped] : wrapTo(escaped, width, maxLines);
  return lines.map((line, index) => `${' '.repeat(index === 0 ? indent : hanging)}${style.paint(look, line)}`);
}

/** Formats the first line of a hook: a mark, its id, and details. On a narrow terminal the details are on the next line. */
export function markedLine(
  { mark, look, hookId, said }: { readonly mark: string; readonly look: Style; readonly hookId: string; readonly said: string },
  style: ReportStyle,
): string[] {
  const id = escapeForTerminal(hookId, 400);
  const text = escapeForTerminal(said, 200);
  const begin = `  ${style.paint(look, mark)} `;
  if (4 + countColumns(id) + (text === '' ? 0 : 2 + countColumns(text)) <= style.width)
    return [`${begin}${id}${text === '' ? '' : `  ${style.paint(look, text)}`}`];
  const [first = '', ...more] = paragraph(id, { indent: 0, hanging: 4, max: 400 }, style);
  return [`${begin}${first}`, ...more, ...paragraph(text, { indent: 6, look }, style)];
}

/**
 * Formats a table. The last cell of a row is wrapped in its column. If the terminal is too narrow, the cells of a row are written below
 * each other.
 */
export function tableLines(rows: readonly (readonly string[])[], indent: number, style: ReportStyle): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count - 1 }, (_, column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const left = indent + widths.reduce((sum, width) => sum + width + 2, 0);
  const isNarrow = style.width - left < 24;
  return rows.flatMap((row) => {
    const last = row[count - 1] ?? '';
    const cells = row.slice(0, count - 1);
    if (isNarrow)
      return [
        ...paragraph(cells.join('  '), { indent }, style),
        ...(last === '' ? [] : paragraph(last, { indent: indent + 4, look: 'dim' }, style)),
      ];
    const begin = `${' '.repeat(indent)}${cells.map((cell, column) => cell.padEnd((widths[column] as number) + 2)).join('')}`;
    const [first = '', ...more] = paragraph(last, { indent: 0, hanging: left }, { ...style, width: style.width });
    return [`${begin}${first}`.trimEnd(), ...more];
  });
}
