import { join } from 'node:path';
import { suggestName } from '@tenterhook/runtime/text';
import { type ReachedFile, readContent, type TrustEntry } from '@tenterhook/trust';
import { paragraph } from '../../output/reports/report-style.js';
import { describeHidden, nothingHidden, writeOut } from '../../output/terminal/write-out.js';
import { describeFile } from '../../output/trust/trust-files.js';
import type { Screen } from './screen.js';

/** Larger files are not shown (bytes). */
const maxBytes = 1024 * 1024;

/**
 * Shows a file that a hook uses, page by page. Invisible characters are escaped. If the file has changed since its hook was shown, the file
 * is not shown. Without a name, lists the files that can be shown.
 */
export async function viewFile(name: string, { files }: Pick<TrustEntry, 'files'>, project: string, screen: Screen): Promise<void> {
  const { style, print } = screen;
  const say = (text: string) => print(paragraph(text, { indent: 2, hanging: 4, look: 'yellow' }, style));
  const file = findFile(name, files);
  if (file === undefined) {
    const names = files.map(({ path }) => path);
    if (name !== '') say(`The hook has no file ${JSON.stringify(name)}. ${suggestName(name, names, 'Its files are:')}`);
    if (files.length === 0) say('The hook uses no files of the project.');
    else
      await showPages(
        files.flatMap((one) => paragraph(`${one.path}  ${describeFile(one)}`, { indent: 2 }, style)),
        screen,
      );
    return;
  }
  const content = readContent(join(project, file.path), maxBytes);
  if (content === undefined)
    return say(`${file.path} is not shown: it cannot be read, or has more than ${maxBytes} bytes. Open it in another program.`);
  if (content.sha256 !== file.sha256)
    return say(`${file.path} has changed since the hook was shown. After your answer, you are asked about the hook again.`);
  const text = Buffer.from(content.bytes).toString('utf8');
  const hidden = nothingHidden();
  const numbers = String(text.split('\n').length).length;
  const lines = text
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line, index) => {
      const [first = '', ...more] = writeOut(line, {
        width: Math.max(style.width - numbers - 3, 20),
        paint: style.paint,
        hidden,
        isFile: true,
      });
      const begin = (number: string) => style.paint('dim', `${number.padStart(numbers)} │ `);
      return [begin(String(index + 1)) + first, ...more.map((line) => begin('') + line)];
    });
  await showPages(
    [
      style.paint(
        'bold',
        `${paragraph(file.path, { indent: 0 }, { ...style, width: Number.POSITIVE_INFINITY })[0]}  ${describeFile(file)}`,
      ),
      ...lines,
    ],
    screen,
  );
  for (const sentence of describeHidden(hidden)) say(`It contains ${sentence}`);
}

/** Returns the file with this path, or the only file whose path ends with `name`. */
function findFile(name: string, files: readonly ReachedFile[]): ReachedFile | undefined {
  const written = name.replace(/^\.\//, '');
  const exact = files.find(({ path }) => path === written);
  if (exact !== undefined || written === '') return exact;
  const [found, other] = files.filter(({ path }) => path.endsWith(`/${written}`));
  return other === undefined ? found : undefined;
}

/** Prints as many lines as fit, and waits for Enter before it prints more. */
async function showPages(lines: readonly string[], { rows, print, ask, style }: Screen): Promise<void> {
  const page = Math.max(rows - 3, 5);
  for (let at = 0; at < lines.length; at += page) {
    print(lines.slice(at, at + page));
    const left = lines.length - at - page;
    if (left <= 0) return;
    const answer = await ask([style.paint('dim', `${left} more line${left === 1 ? '' : 's'}. Enter: go on · q: back to the question`)]);
    if (answer === undefined || answer !== '') {
      print([style.paint('yellow', `Not shown: ${left} lines.`)]);
      return;
    }
  }
}
