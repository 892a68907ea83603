import type { ReachedFile, TrustEntry } from '@tenterhook/trust';
import type { ReportStyle } from '../reports/report-style.js';
import { type Hidden, writeOut } from '../terminal/write-out.js';

/** The maximum number of files of one hook that are shown with the hook. */
const maxShown = 40;
/** The maximum number of missing names that are shown. */
const maxAbsent = 20;

/** Formats the files that a hook uses: each with its size and x bit, folders, links with their targets, and names that do not exist yet. */
export function filesLines({ reach, files }: Pick<TrustEntry, 'reach' | 'files'>, style: ReportStyle, hidden: Hidden): string[] {
  const name = (path: string) => writeOut(path, { width: Number.POSITIVE_INFINITY, paint: style.paint, hidden }).join('\\n');
  const dim = (text: string) => style.paint('dim', text);
  const entries = reach.flatMap(({ path, kind, target = '' }): string[] => {
    if (kind === 'link') return [`${name(path)} ${dim('is a link to')} ${name(target)}`];
    return kind === 'folder' ? [`${name(path)}/ ${dim(`with everything below it, ${countFiles(files, path)}`)}`] : [];
  });
  const shown = files.slice(0, maxShown).map((file) => `${name(file.path)} ${dim(describeFile(file))}`);
  const more = files.length - shown.length;
  const absent = reach.filter(({ kind }) => kind === 'absent').map(({ path }) => path);
  return [
    ...entries,
    ...shown,
    ...(more > 0 ? [dim(`and ${more} more: v lists all of them`)] : []),
    ...(absent.length === 0
      ? []
      : [`${dim(absent.length === 1 ? 'does not exist yet:' : 'do not exist yet:')} ${shortList(absent).map(name).join(', ')}`]),
  ];
}

/** Formats a file's size and x bit. */
export function describeFile({ bytes, executable }: ReachedFile): string {
  return `${bytes} byte${bytes === 1 ? '' : 's'}${executable === true ? ', executable' : ''}`;
}

function countFiles(files: readonly ReachedFile[], folder: string): string {
  const count = files.filter(({ path }) => path.startsWith(`${folder}/`)).length;
  return `${count} file${count === 1 ? '' : 's'}`;
}

function shortList(names: readonly string[]): readonly string[] {
  return names.length <= maxAbsent ? names : [...names.slice(0, maxAbsent), `and ${names.length - maxAbsent} more`];
}
