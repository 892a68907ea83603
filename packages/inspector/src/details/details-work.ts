import { escapedJson } from '../api/json.js';
import type { EventRow } from '../api/messages.js';
import { fieldsOf, textOf } from '../store/fields.js';
import { ShownTexts } from '../store/shown-texts.js';
import { type DetailsExtras, type EventMessages, eventDetails } from './event-details.js';
import { hookRuns, textOfRun } from './hook-runs.js';
import { pieceOf } from './hook-texts.js';

/** Which text of a hook is asked for, as the path and the query of a request say. */
export interface WantedText {
  /** The place of the hook among those that ran. */
  readonly index: number;
  readonly name: string;
  /** The character at which the piece begins. */
  readonly from: number;
}

/** What is made of the messages of an event, as plain data, which can be passed to a thread. */
export interface DetailsWork {
  readonly messages: EventMessages;
  readonly isMasked: boolean;
  readonly wanted: WantedText | { readonly row: EventRow; readonly extras: DetailsExtras };
}

/** Returns the answer as JSON. Undefined if the hook has no such text. */
export function carryOut({ messages, isMasked, wanted }: DetailsWork, texts = new ShownTexts(isMasked)): string | undefined {
  if ('row' in wanted) return escapedJson(eventDetails(wanted.row, messages, texts, wanted.extras));
  const text = wholeText(messages, wanted, texts);
  return text === undefined ? undefined : escapedJson(pieceOf(text, wanted.from));
}

/** The masked text of a hook. The whole text is masked, so that no secret is divided between two pieces. */
function wholeText({ response, progress }: EventMessages, { index, name }: WantedText, texts: ShownTexts): string | undefined {
  const run = hookRuns(response ?? {}, progress)[index];
  const text = run && textOfRun(run, name);
  return text === undefined ? undefined : textOf(fieldsOf(texts.whole({ [name]: text }))[name]);
}
