import type { RecordedExchange, RecordedMessage, RecordingDiff } from '@tenterhook/recording';
import { compareRecordings, formatDiff, readRecording } from '@tenterhook/recording';
import type { Comparison } from '../api/messages.js';
import { ShownTexts } from '../store/shown-texts.js';

/** Which recordings are compared, as plain data, which can be passed to a thread. */
export interface CompareWork {
  readonly before: string;
  readonly now: string;
  readonly isMasked: boolean;
}

/** What was found. A request is named by its position in its recording, from 1, because a thread does not know the list. */
export type FoundComparison = Omit<Comparison, 'different'> & {
  readonly different: readonly (Omit<Comparison['different'][number], 'n'> & { readonly ordinal: number })[];
};

/** Both recordings are in memory while they are compared, and take some ten times of this. */
const maxBytes = 64 * 1024 * 1024;
/** The factor beyond which two durations are shown. */
const timesFactor = 2;
/** A page with more requests, or more lines of one, is not read. */
const mostDifferent = 1_000;
const mostLines = 200;

/**
 * Compares two recordings as `tenterhook diff` does. Everything is masked before it is compared, so two secrets of a known shape are equal.
 * Rejects with a RecordingError if one of them cannot be read, or has more than 64 MiB.
 */
export async function compareFiles({ before, now, isMasked }: CompareWork): Promise<FoundComparison> {
  const texts = new ShownTexts(isMasked);
  const [recorded, other] = await Promise.all([before, now].map((file) => readRecording(file, { maxBytes })));
  if (recorded === undefined || other === undefined) throw new TypeError('compareFiles: two recordings are needed.');
  const shown = [recorded, other].map((recording) => ({ ...recording, exchanges: recording.exchanges.map((one) => masked(one, texts)) }));
  const diff = compareRecordings(shown[0] ?? recorded, shown[1] ?? other, { times: timesFactor });
  const { requests, same, different, times } = diff;
  const linesOf = (part: Partial<RecordingDiff>) =>
    formatDiff({ requests, same, different: [], times: [], ...part })
      .trimEnd()
      .split('\n');
  return {
    before: texts.short(before),
    now: texts.short(now),
    summary: linesOf({ different })[0] ?? '',
    different: different.slice(0, mostDifferent).map((one) => {
      const [head = '', ...lines] = linesOf({ different: [one] }).slice(2);
      const more = lines.length - mostLines;
      return {
        kind: one.kind,
        ordinal: one.ordinal,
        // The page has no lines of files.
        title: head.replace(/ +line \d+$/, ''),
        lines: [...lines.slice(0, mostLines).map((line) => line.replace(/^ {4}/, '')), ...(more > 0 ? [`… ${more} more lines`] : [])],
      };
    }),
    more: Math.max(0, different.length - mostDifferent),
    times: linesOf({ times: times.slice(0, mostDifferent) })
      .slice(2)
      .map((line) => line.replace(/^~ /, '')),
  };
}

function masked(exchange: RecordedExchange, texts: ShownTexts): RecordedExchange {
  const of = (message: RecordedMessage) => ({ ...message, payload: texts.whole(message.payload) });
  const { request, response } = exchange;
  return {
    ...exchange,
    ...(request === undefined ? {} : { request: of(request) }),
    ...(response === undefined ? {} : { response: of(response) }),
  };
}
