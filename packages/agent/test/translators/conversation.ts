import fc from 'fast-check';

/**
 * A conversation that belongs to no SDK. The tests of each translator write it down in the SDK's own form, change it here as a hook would,
 * and expect of the translator what writing the changed one gives: the two never share code.
 */
export interface Turn {
  readonly kind: 'system' | 'user' | 'model' | 'call' | 'results';
  readonly text?: string | undefined;
  /** Of a user's turn. */
  readonly hasImage?: boolean;
  /** Of a model's turn or a call. */
  readonly hasThought?: boolean;
  /** Written as a list of parts even where a plain text would do. */
  readonly isList?: boolean;
  /** Ids of the calls, or of what the results belong to. */
  readonly ids?: readonly string[];
}

/** Which text of a turn is seen: not that of results where the format keeps them in messages of their own. */
export type IsShown = (turn: Turn) => boolean;

/** Conversations in an order that providers accept, every text different from every other. */
export const conversations: fc.Arbitrary<Turn[]> = fc
  .record({
    system: fc.option(fc.record({ isList: fc.boolean() }), { nil: undefined }),
    groups: fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('user' as const), hasText: fc.boolean(), hasImage: fc.boolean(), isList: fc.boolean() }),
        fc.record({ kind: fc.constant('model' as const), hasText: fc.constant(true), hasThought: fc.boolean(), isList: fc.boolean() }),
        fc.record({
          kind: fc.constant('call' as const),
          hasText: fc.boolean(),
          hasThought: fc.boolean(),
          calls: fc.integer({ min: 1, max: 3 }),
          resultsHaveText: fc.boolean(),
        }),
      ),
      { maxLength: 8 },
    ),
    words: fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 3 }),
  })
  .map(({ system, groups, words }) => {
    const text = (place: string) => `${place} ${words[place.length % words.length]}`;
    const turns: Turn[] = system === undefined ? [] : [{ kind: 'system', text: text('system'), isList: system.isList }];
    for (const [at, group] of groups.entries()) {
      if (group.kind !== 'call') {
        const hasImage = group.kind === 'user' && (group.hasImage || !group.hasText);
        const { hasText, ...rest } = group;
        turns.push({ ...rest, ...(group.kind === 'user' ? { hasImage } : {}), ...(hasText ? { text: text(`${group.kind} ${at}`) } : {}) });
        continue;
      }
      const ids = Array.from({ length: group.calls }, (_, call) => `call-${at}-${call}`);
      const { hasText, hasThought, resultsHaveText } = group;
      turns.push({ kind: 'call', ids, hasThought, ...(hasText ? { text: text(`call ${at}`) } : {}) });
      turns.push({ kind: 'results', ids, ...(resultsHaveText ? { text: text(`results ${at}`) } : {}) });
    }
    return turns;
  });

export interface HookMessage {
  role: 'user' | 'model' | 'system';
  content: string;
}

/** What hooks see of it. */
export function shownMessages(turns: readonly Turn[], isShown: IsShown): HookMessage[] {
  const roles = { system: 'system', user: 'user', results: 'user', model: 'model', call: 'model' } as const;
  return turns.filter(isShown).map(({ kind, text }) => ({ role: roles[kind], content: text ?? '' }));
}

/** The text of one shown turn replaced. */
export function withTextAt(turns: readonly Turn[], isShown: IsShown, place: number, text: string): Turn[] {
  const turn = turns.filter(isShown)[place];
  return turns.map((each) => (each === turn ? { ...each, text } : each));
}

/** One shown turn gone; calls and results stay without their text. */
export function withoutTurnAt(turns: readonly Turn[], isShown: IsShown, place: number): Turn[] {
  const turn = turns.filter(isShown)[place];
  return turns.flatMap((each) => {
    if (each !== turn) return [each];
    return each.ids === undefined ? [] : [{ ...each, text: undefined }];
  });
}

/** A turn of the user put before the shown one at this place: behind what follows the shown one before it unseen, and never before results. */
export function withTurnAt(turns: readonly Turn[], isShown: IsShown, place: number, text: string): Turn[] {
  const before = turns.filter(isShown)[place - 1];
  let at = before === undefined ? 0 : turns.indexOf(before) + 1;
  while (before !== undefined && at < turns.length && !isShown(turns[at]!)) at++;
  if (turns[at - 1]?.kind === 'call' && turns[at]?.kind === 'results') at++;
  return [...turns.slice(0, at), { kind: 'user', text }, ...turns.slice(at)];
}
