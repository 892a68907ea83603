import { isHookEventName } from '@tenterhook/protocol';
import { matcherSubject } from '@tenterhook/protocol/internal';
import type { EventRow, HookBar } from '../api/messages.js';
import { type Fields, fieldsOf, hasRun, listOf, numberOf, resultOfResponse, textOf } from './fields.js';
import type { ShownTexts } from './shown-texts.js';

type Writable<Value> = { -readonly [Field in keyof Value]: Value[Field] };
type GrowingBar = Writable<HookBar>;

/** Hooks of an event beyond this number have no bar in the list. The details have all hooks. */
const mostBars = 200;

/** One row of the list, which changes with each message of its event. */
export class GrowingRow {
  readonly #texts: ShownTexts;
  readonly #row: Writable<Omit<EventRow, 'hooks'>>;
  readonly #bars: GrowingBar[] = [];

  constructor(n: number, at: number, payload: Fields, texts: ShownTexts) {
    this.#texts = texts;
    const { correlationId, eventName } = payload;
    const input = fieldsOf(payload['input']);
    const event = textOf(eventName) ?? '';
    this.#row = {
      n,
      correlationId: texts.short(textOf(correlationId) ?? ''),
      at,
      event: texts.short(event),
      run: 0,
      all: 0,
      state: 'running',
      verdict: 'none',
    };
    const subject = subjectOf(event, input);
    if (subject !== undefined) this.#row.subject = texts.short(subject);
    this.#setSession(input['session_id']);
  }

  /** The row as it is sent. */
  get row(): EventRow {
    return { ...this.#row, hooks: this.#bars };
  }

  get isRunning(): boolean {
    return this.#row.state === 'running';
  }

  progress(payload: Fields): void {
    const { kind } = payload;
    if (kind === 'planned') this.#plan(payload);
    else if (kind === 'hook-started') this.#start(payload);
    else if (kind === 'hook-finished') this.#finish(payload);
    else if (kind === 'hook-skipped') {
      const bar = this.#find(payload['hookId'], false);
      if (bar !== undefined) bar.status = 'skipped';
    }
  }

  /** `elapsedMs` is the time between the request and the response. */
  respond(payload: Fields, elapsedMs: number | undefined): void {
    const row = this.#row;
    const result = resultOfResponse(payload);
    const outcomes = listOf(result['outcomes']);
    row.state = payload['success'] === true ? 'answered' : 'failed';
    const code = textOf(fieldsOf(payload['error'])['code']);
    if (code !== undefined) row.error = this.#texts.short(code);
    const { kind, stop } = fieldsOf(result['verdict']);
    if (kind === 'allow' || kind === 'ask' || kind === 'deny') row.verdict = kind;
    if (stop === true) row.stop = true;
    const duration = numberOf(result['totalDuration']) ?? elapsedMs;
    if (duration !== undefined) row.durationMs = duration;
    if (Array.isArray(result['outcomes'])) {
      const first = outcomes.filter(({ recheck }) => recheck !== true);
      row.all = first.length;
      row.run = first.filter(hasRun).length;
    }
    for (const outcome of outcomes) this.#settle(outcome);
    // Without an outcome, for example after a lost connection, it is unknown how the hook ended.
    for (const bar of this.#bars) if (bar.status === 'queued' || bar.status === 'running') bar.status = 'cancelled';
  }

  #plan(payload: Fields): void {
    const stages = Array.isArray(payload['stages']) ? payload['stages'] : [];
    let planned = 0;
    for (const [index, stage] of stages.entries()) {
      for (const hook of listOf(stage)) {
        planned += 1;
        this.#add(hook, index + 1, 'queued');
      }
    }
    this.#row.all = planned + (numberOf(payload['skipped']) ?? 0);
    this.#setSession(fieldsOf(payload['base'])['session_id']);
  }

  #start(payload: Fields): void {
    const { hookId, recheck, elapsedMs, timeoutMs } = payload;
    const again = recheck === true;
    // A hook that runs again has a second bar. A hook that a signal ended is started twice in one bar.
    const bar = this.#find(hookId, again) ?? this.#add(payload, again ? this.#lastStage() + 1 : 0, 'running');
    if (bar === undefined) return;
    if (!again && bar.startMs === undefined) this.#row.run += 1;
    bar.status = 'running';
    const start = numberOf(elapsedMs);
    if (start !== undefined) bar.startMs = start;
    const timeout = numberOf(timeoutMs);
    if (timeout !== undefined) bar.timeoutMs = timeout;
  }

  #finish(payload: Fields): void {
    const outcome = fieldsOf(payload['outcome']);
    const bar = this.#find(payload['hookId'], outcome['recheck'] === true);
    if (bar === undefined) return;
    bar.status = this.#statusOf(outcome);
    if (payload['late'] === true) bar.late = true;
    const end = numberOf(payload['elapsedMs']);
    // A detached hook runs on, and its end is reported later.
    if (end !== undefined && bar.status !== 'detached') bar.endMs = end;
  }

  #settle(outcome: Fields): void {
    const again = outcome['recheck'] === true;
    const bar = this.#find(outcome['hookId'], again);
    const status = this.#statusOf(outcome);
    if (bar === undefined) {
      if (status !== 'skipped') this.#add(outcome, again ? this.#lastStage() + 1 : 0, status);
    } else if (bar.late !== true) {
      bar.status = status;
    }
  }

  #add({ hookId, name, dialect }: Fields, stage: number, status: string): GrowingBar | undefined {
    if (this.#bars.length >= mostBars) return undefined;
    const bar: GrowingBar = {
      hookId: this.#texts.short(textOf(hookId) ?? ''),
      dialect: this.#texts.short(textOf(dialect) ?? ''),
      stage,
      status,
    };
    const shownName = textOf(name);
    if (shownName !== undefined) bar.name = this.#texts.short(shownName);
    this.#bars.push(bar);
    return bar;
  }

  /** The bar of a hook. A hook that was asked again has two, the second one for its second run. */
  #find(hookId: unknown, again: boolean): GrowingBar | undefined {
    if (typeof hookId !== 'string') return undefined;
    const id = this.#texts.short(hookId);
    const own = this.#bars.filter((bar) => bar.hookId === id);
    return own[again ? 1 : 0];
  }

  #lastStage(): number {
    const planned = this.#bars.filter((bar, index) => this.#bars.findIndex(({ hookId }) => hookId === bar.hookId) === index);
    return planned.reduce((last, { stage }) => Math.max(last, stage), 0);
  }

  #statusOf({ status }: Fields): string {
    return this.#texts.short(textOf(status) ?? 'failed');
  }

  #setSession(session: unknown): void {
    if (typeof session === 'string' && session !== '') this.#row.session = this.#texts.short(session);
  }
}

/** What the event is about: what its matchers read, else the first text field of those that people write. */
function subjectOf(event: string, input: Fields): string | undefined {
  const subject = isHookEventName(event) ? matcherSubject(event, input) : undefined;
  return subject ?? ['tool_name', 'prompt', 'message', 'reason'].map((field) => textOf(input[field])).find((text) => text !== undefined);
}
