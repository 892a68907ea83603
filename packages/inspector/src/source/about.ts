import type { About } from '../api/messages.js';
import { type Fields, fieldsOf, listOf, numberOf, textOf } from '../store/fields.js';
import type { ShownTexts } from '../store/shown-texts.js';

/** What the page shows about a source. Whether hooks may be run is decided by the server. */
export type SourceAbout = Omit<About, 'mayRun'>;

/** Settings with more hooks or files than this are shown in part. */
const mostListed = 5_000;

/** What the page shows about a service. `description` is its answer to `describe`, or the note of a recording; all texts are masked. */
export function aboutOf(description: Fields | undefined, source: About['source'], texts: ShownTexts): SourceAbout {
  const described = fieldsOf(texts.whole(description ?? {}));
  return {
    source: { ...source, name: texts.short(source.name) },
    isMasked: texts.isMasked,
    hooks: listOf(described['hooks']).slice(0, mostListed).map(hookOf),
    files: listOf(described['files'])
      .slice(0, mostListed)
      .map(({ file, source: from, dialect, state }) => ({
        file: textOf(file) ?? '',
        source: textOf(from) ?? '',
        state: textOf(state) ?? '',
        ...(typeof dialect === 'string' ? { dialect } : {}),
      })),
    diagnostics: listOf(described['diagnostics'])
      .slice(0, mostListed)
      .filter(({ code, message }) => typeof code === 'string' && typeof message === 'string') as unknown as About['diagnostics'],
  };
}

function hookOf(hook: Fields): About['hooks'][number] {
  const { name, off, matcher, file, line } = hook;
  const texts = { name, off, matcher, file };
  const optional = Object.fromEntries(Object.entries(texts).filter(([, value]) => typeof value === 'string')) as Record<string, string>;
  const at = numberOf(line);
  return {
    hookId: textOf(hook['hookId']) ?? '',
    eventName: textOf(hook['eventName']) ?? '',
    dialect: textOf(hook['dialect']) ?? '',
    source: textOf(hook['source']) ?? '',
    ...optional,
    ...(at === undefined ? {} : { line: at }),
  };
}
