import type { HookContract, HookLoss, HookMigration, PortableHook } from '@tenterhook/protocol';

/**
 * What a hook loses by what the agents make of it, and not by its settings: a block that nobody obeys on this event, and a command that answers by
 * itself, or picks fields out of stdin, in the words of its agent. What a script says is not known; the differences of the formats are told beside.
 */
export function contractLosses(hook: PortableHook, from: HookMigration, to: HookMigration): HookLoss[] {
  return [...blockLoss(hook, from.contract, to), ...wordsLoss(hook, from.contract, to)];
}

function blockLoss({ eventName }: PortableHook, from: HookContract, { contract, agent }: HookMigration): HookLoss[] {
  if (!from.blocks.includes(eventName) || contract.blocks.includes(eventName)) return [];
  return [{ field: 'event', message: `A block, exit code 2 too, has no effect on this event of ${agent}.` }];
}

function wordsLoss({ action }: PortableHook, from: HookContract, { contract, agent }: HookMigration): HookLoss[] {
  if (action.kind !== 'command') return [];
  const words = from.words.filter((word) => !contract.words.includes(word) && isNamed(word, action.text));
  if (words.length === 0) return [];
  const message = `Its command names ${words.map((word) => JSON.stringify(word)).join(', ')}, which ${agent} does not have: change it by hand.`;
  return [{ field: 'action', message }];
}

/** As a key in quotes, as a field behind a dot, or, of a variable, anywhere. */
function isNamed(word: string, text: string): boolean {
  return new RegExp(/^[A-Z_]+$/.test(word) ? `\\b${word}\\b` : `["'.]${word}(?!\\w)`).test(text);
}
