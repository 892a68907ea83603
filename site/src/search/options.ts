import type { Options, SearchOptions } from 'minisearch';

/** A section of a page, as the search finds it. */
export interface FoundSection {
  /** The address of the section, relative to the root of the site. */
  readonly href: string;
  readonly title: string;
  readonly page: string;
  /** The beginning of the section. */
  readonly excerpt: string;
}

export interface IndexedSection extends FoundSection {
  readonly id: number;
  readonly text: string;
}

/** The options of the index. The page that searches must have the options with which the index was made. */
export const indexOptions: Options<IndexedSection> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['href', 'title', 'page', 'excerpt'] satisfies (keyof FoundSection)[],
};

/** Every word must be found, as the beginning of a word or with a small mistake. The title of a section counts more than its text. */
export const searchOptions: SearchOptions = {
  combineWith: 'AND',
  prefix: true,
  fuzzy: (word) => (word.length > 4 ? 0.2 : false),
  boost: { title: 4, page: 2 },
  // Rules one by one and old changes have every word, so they would hide the pages that explain it.
  boostDocument: (_id, _word, stored) => (/formats-reference|CHANGELOG/.test(String(stored?.['href'])) ? 0.3 : 1),
};
