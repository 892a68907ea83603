/** The views of the page, in the order of the navigation. */
export const views = ['events', 'hooks', 'settings', 'agents', 'compare'] as const;

export type View = (typeof views)[number];

/** What the fragment of the address says. A view can be bookmarked, because the token is removed from the address at once. */
export interface Address {
  readonly token?: string;
  /** A code, with which the page gets the token once. */
  readonly code?: string;
  readonly view: View;
  readonly filter: string;
  /** The number of the event whose details are open. */
  readonly event?: number;
}

/** Reads a fragment such as `#view=hooks&filter=verdict%3Adeny`. Everything that is not known is ignored. */
export function parseFragment(fragment: string): Address {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const token = fields.get('token');
  const code = fields.get('code');
  const event = fields.get('event');
  return {
    view: views.find((view) => view === fields.get('view')) ?? 'events',
    filter: fields.get('filter') ?? '',
    ...(token === null || token === '' ? {} : { token }),
    ...(code === null || code === '' ? {} : { code }),
    ...(event !== null && /^\d{1,9}$/.test(event) ? { event: Number(event) } : {}),
  };
}

/** Writes a fragment without the token and the code. Empty for the view that is shown first. */
export function formatFragment({ view, filter, event }: Address): string {
  const fields = new URLSearchParams();
  if (view !== 'events') fields.set('view', view);
  if (filter !== '') fields.set('filter', filter);
  if (event !== undefined) fields.set('event', String(event));
  const text = fields.toString();
  return text === '' ? '' : `#${text}`;
}
