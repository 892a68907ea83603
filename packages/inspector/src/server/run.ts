import type { ServerResponse } from 'node:http';
import { isHookEventName } from '@tenterhook/protocol';
import { describeThrown } from '@tenterhook/runtime/text';
import type { AskBody, RunBody } from '../api/messages.js';
import { carryOut, type WantedText } from '../details/details-work.js';
import { type EventMessages, eventDetails } from '../details/event-details.js';
import { fieldsOf, listOf } from '../store/fields.js';
import { GrowingRow } from '../store/growing-row.js';
import type { ShownTexts } from '../store/shown-texts.js';
import { keepingOpen, sendJson, sendProblem } from './answers.js';
import { sendHookText } from './hook-text.js';
import { markOfCommands } from './shown-commands.js';

/** The messages of an event that was run. */
export interface RanEvent {
  readonly request: object;
  readonly progress: readonly object[];
  readonly response: object;
}

/**
 * Runs an event with the hooks of a project, from its settings files as they are now. The signal stops it: hooks are then ended before the
 * promise settles. Calls `requireShown` with the preview of these hooks before one starts; what it throws ends the run. The hooks that are
 * checked and those that run come from one reading of the files, so that no change between the two goes unnoticed. Rejects if the hooks
 * cannot be loaded.
 */
export type RunFiles = (body: RunBody, signal: AbortSignal, requireShown: (preview: unknown) => void) => Promise<RanEvent>;

class ChangedError extends Error {
  override readonly name = 'ChangedError';
}

/**
 * Runs events for the page, never in the service of the agent. One at a time: what a person has allowed in a dialog must not wait until
 * another run has changed the project.
 */
export class Runner {
  readonly #run: RunFiles;
  #running: { readonly control: AbortController; readonly ended: Promise<void> } | undefined;
  /** The last run, for the rest of long texts. */
  #last: { readonly number: number; readonly messages: EventMessages } | undefined;
  #runs = 0;
  #isClosed = false;

  constructor(run: RunFiles) {
    this.#run = run;
  }

  /** Nothing is run without `shown`: the page could otherwise start what no dialog has named. */
  async answer(response: ServerResponse, texts: ShownTexts, { eventName, input }: AskBody, shown: unknown): Promise<void> {
    if (!isHookEventName(eventName)) {
      const message = `There is no event ${JSON.stringify(texts.short(eventName))}. Run tenterhook events for a list.`;
      return sendProblem(response, 400, 'invalid_request', message);
    }
    if (typeof shown !== 'string') {
      const message =
        'Nothing was started: the body must have "shown", the field of the answer of POST /api/preview with "by": "files". It proves that the commands were shown.';
      return sendProblem(response, 400, 'not_shown', message);
    }
    if (this.#running !== undefined || this.#isClosed) {
      return sendProblem(response, 409, 'busy', 'Another event is run now. Wait until it has ended, or stop it.');
    }
    const control = new AbortController();
    // Without its page the answer is not seen, and the hooks could not be stopped.
    if (response.destroyed) control.abort();
    else response.once('close', () => control.abort());
    const at = Date.now();
    const running = this.#run({ eventName, input, shown }, control.signal, (preview) => {
      if (markOfCommands(preview) !== shown) throw new ChangedError();
    });
    const ended = running.then(
      () => {},
      () => {},
    );
    this.#running = { control, ended };
    try {
      const ran = await keepingOpen(response, running);
      this.#runs += 1;
      sendJson(response, this.#detailsOf(ran, at, texts));
    } catch (error) {
      if (error instanceof ChangedError) {
        const message =
          'The settings have changed since their commands were shown. Nothing was started. Press Run again to see the new ones.';
        return sendProblem(response, 409, 'changed', message);
      }
      sendProblem(response, 409, 'cannot_run', texts.short(`The event cannot be run: ${describeThrown(error)}`));
    } finally {
      this.#running = undefined;
    }
  }

  /** Sends more of a text of the last run. */
  sendText(response: ServerResponse, texts: ShownTexts, number: number, wanted: WantedText): void {
    const last = this.#last;
    if (last?.number !== number) {
      sendProblem(response, 404, 'not_found', `The run ${number} is no longer kept. Only the last one is.`);
      return;
    }
    const json = carryOut({ messages: last.messages, isMasked: texts.isMasked, wanted }, texts);
    sendHookText(response, json, wanted, `run ${number}`);
  }

  /** Stops what runs, and resolves when its hooks have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#running?.control.abort();
    await this.#running?.ended;
  }

  #detailsOf({ request, progress, response }: RanEvent, at: number, texts: ShownTexts) {
    const messages = { request: fieldsOf(request), response: fieldsOf(response), progress: listOf(progress) };
    this.#last = { number: this.#runs, messages };
    const row = new GrowingRow(this.#runs, at, messages.request, texts);
    for (const step of messages.progress) row.progress(step);
    row.respond(messages.response, Date.now() - at);
    return eventDetails(row.row, messages, texts);
  }
}
