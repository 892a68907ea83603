import { batch, signal } from '@preact/signals';
import type { About, StreamLine } from '../../src/api/messages.js';
import type { View } from './address.js';
import { EventStore } from './event-store.js';

/** The state of the connection to the server, and of the server to the agent. */
export interface Connection {
  readonly state: 'connecting' | 'unreachable' | Extract<StreamLine, { kind: 'connection' }>['state'];
  readonly message?: string;
}

export type Gap = Omit<Extract<StreamLine, { kind: 'gap' }>, 'kind'>;
export type Begin = Omit<Extract<StreamLine, { kind: 'begin' }>, 'kind'>;
export type StreamStats = Omit<Extract<StreamLine, { kind: 'stats' }>, 'kind'>;

/** Whether the server lets this page in. */
export type Access = 'granted' | 'no-token' | 'refused' | 'too-many';

const noStats: StreamStats = { total: 0, forgotten: 0, dropped: 0, revision: 0 };

export const store = new EventStore();
/** Changes once a frame when rows have changed. A list of rows that is a signal itself would be copied for each row. */
export const storeVersion = signal(0);
/** Changes at most four times a second when rows have changed, for what looks at all rows. */
export const overviewVersion = signal(0);

export const access = signal<Access>('granted');
/** What the server has said at the beginning of the stream. Undefined until it has answered for the first time. */
export const begun = signal<Begin | undefined>(undefined);
export const connection = signal<Connection>({ state: 'connecting' });
export const gaps = signal<readonly Gap[]>([]);
export const stats = signal<StreamStats>(noStats);
export const about = signal<About | undefined>(undefined);

export const view = signal<View>('events');
export const filterText = signal('');
/** The number of the event that the keys act on. */
export const active = signal<number | undefined>(undefined);
/** The number of the event whose details are open. */
export const opened = signal<number | undefined>(undefined);
/** Whether the details take the focus when they are there, because they were opened with the keyboard. */
export const wantsDetailsFocus = signal(false);
/** Whether the list scrolls to new events. */
export const follows = signal(true);
/** A sentence for people who do not see the page. */
export const announcement = signal('');
export const isHelpOpen = signal(false);

export function setFilter(text: string): void {
  batch(() => {
    filterText.value = text;
    store.setFilter(text);
    storeVersion.value += 1;
  });
}

/** Removes everything that is known about a source, because another one follows. */
export function forgetSource(): void {
  batch(() => {
    store.clear();
    gaps.value = [];
    stats.value = noStats;
    about.value = undefined;
    active.value = undefined;
    opened.value = undefined;
    connection.value = { state: 'connecting' };
    storeVersion.value += 1;
    overviewVersion.value += 1;
  });
}

export function openEvent(n: number): void {
  batch(() => {
    active.value = n;
    opened.value = n;
    view.value = 'events';
  });
}

export function announce(text: string): void {
  announcement.value = text;
}
