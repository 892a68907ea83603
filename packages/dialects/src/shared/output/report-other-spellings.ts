import type { HookWarning } from '@tenterhook/protocol';
import { formatValue } from '../text.js';

/** The longest name that is compared; a longer one is no spelling of a known field. */
const maxLength = 64;

/**
 * Adds a warning for each field that is a known one in other letters (`Decision`, `toolInput`, `stop_reason`). It is not read as that
 * one: what is a decision must not depend on a guess. Names that are merely similar pass, as unknown fields do (decision 7). Returns the
 * fields that it spoke of.
 */
export function reportOtherSpellings(
  printed: Readonly<Record<string, unknown>>,
  known: readonly string[],
  where: string,
  warnings: HookWarning[],
): ReadonlySet<string> {
  const said = new Set<string>();
  const meant = new Map(known.map((name) => [letters(name), name]));
  for (const [field, value] of Object.entries(printed)) {
    const name = field.length > maxLength ? undefined : meant.get(letters(field));
    if (name === undefined || name === field || value === null) continue;
    warnings.push({ code: 'other_spelling', message: `${where} has a field ${formatValue(field)}, which has no effect. Write "${name}".` });
    said.add(field);
  }
  return said;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
