import { code, table } from './sections.mjs';

/** Makes the table of dialects (docs/command-line.md). */
export function dialectSections(dialects) {
  return {
    dialects: table(
      ['dialect', 'the hooks of'],
      dialects.map(({ name, agent = name }) => [code(name), agent]),
    ),
  };
}
