import { defaultDialects } from '@tenterhook/dialects';
import type { FormatSample } from '../formats/format-sample.js';

/** The names of all formats, in the order in which their hooks run. */
export const formatNames: readonly string[] = defaultDialects().map(({ name }) => name);

const loaded: Record<string, FormatSample> = {};
// One after another, because Jest cannot link modules that are imported at the same time.
for (const name of formatNames) {
  const { sample } = (await import(`../formats/${name}/sample.js`)) as { readonly sample: FormatSample };
  loaded[name] = sample;
}

type NamedFormats = Readonly<Record<'llxprt' | 'claude-code' | 'gemini-cli' | 'codex' | 'eca', FormatSample>>;

/** The samples of all formats by name. Tests about one format may use its name; all others go through the whole list. */
export const formats = loaded as NamedFormats & Readonly<Record<string, FormatSample>>;

export function formatNamed(name: string): FormatSample {
  const format = formats[name];
  if (format === undefined) throw new Error(`There is no format "${name}".`);
  return format;
}

/** The formats with code of their own, and one of each table of formats. For tests whose time grows with each format or each pair. */
export const families: readonly string[] = formatNames.filter((name) => formatNamed(name).representedBy === undefined);
