import { isPlainObject } from '@tenterhook/runtime/json';
import { isSecretName, type MaskRules, maskText, maskWhole } from '@tenterhook/runtime/log';
import { mapTexts } from './map-texts.js';
import { createEncoder, type PlaceholderTable } from './placeholders.js';

/** How payloads are changed before they are stored or compared, as plain data, which can be passed to another thread. */
export interface MaskPlan {
  readonly table: PlaceholderTable;
  /** False keeps what looks like a secret. Placeholders are used in either case. */
  readonly mask: boolean;
}

/** Replaces values by placeholders, and then masks what looks like a secret. Throws for a payload that is nested too deeply. */
export type Masker = (payload: unknown) => unknown;

const secretPlaceholder = /⟦⟦|⟦secret:[A-Za-z]\w*(?:#\d)?⟧/g;
/** A whole value that is a placeholder, maybe after the name of a scheme. */
const onlyPlaceholder = /^(?:[A-Za-z]{1,12} )?⟦secret:[A-Za-z]\w*(?:#\d)?⟧$/;
const rules: MaskRules = { maskText: maskAround, isShown: (text) => onlyPlaceholder.test(text) };

/** Placeholders are put in first. Otherwise the masks would remove secrets that are filled in on replay. */
export function createMasker({ table, mask }: MaskPlan): Masker {
  const encode = createEncoder(table);
  if (!mask) return (payload) => mapTexts(payload, encode);
  return (payload) => maskRecorded(mapTexts(payload, encode));
}

/** Masks a payload of a recording, which has its placeholders already. What is masked stays as it is. */
export function maskRecorded(payload: unknown): unknown {
  return maskChanges(maskWhole(payload, rules), rules);
}

/**
 * Masks a text and keeps the placeholders of secrets. The rules mask a value after `password=`, and so would mask its placeholder. So the
 * text is first tried with `***` for each placeholder, which the rules leave unchanged. If they mask something else, each placeholder is
 * masked too if it is within a masked value.
 */
function maskAround(text: string): string {
  if (!text.includes('⟦secret:')) return maskText(text);
  const found: string[] = [];
  const tried = text.replace(secretPlaceholder, (placeholder) => (placeholder === '⟦⟦' ? placeholder : '***'));
  if (maskText(tried) === tried) return text;
  // Characters for private use, which a text would not contain in this form.
  const marked = text.replace(secretPlaceholder, (placeholder) =>
    placeholder === '⟦⟦' ? placeholder : `\ue000${found.push(placeholder) - 1}\ue001`,
  );
  return maskText(marked).replace(/\ue000(\d{1,9})\ue001/g, (mark, index: string) => found[Number(index)] ?? mark);
}

/** A change has the name of its field in the path and not as a key, so the value of a secret field is masked here. */
function maskChanges(payload: unknown, rules: MaskRules): unknown {
  if (!isPlainObject(payload)) return payload;
  const { output, error } = payload;
  const details = isPlainObject(error) ? error['details'] : undefined;
  return {
    ...payload,
    ...(isPlainObject(output) ? { output: withMaskedChanges(output, rules) } : {}),
    // The details of an event that failed may have the changes so far.
    ...(isPlainObject(error) && isPlainObject(details) ? { error: { ...error, details: withMaskedChanges(details, rules) } } : {}),
  };
}

function withMaskedChanges(result: Readonly<Record<string, unknown>>, rules: MaskRules): Readonly<Record<string, unknown>> {
  if (!Array.isArray(result['changes'])) return result;
  const changes = result['changes'].map((change: unknown) => {
    const name = isPlainObject(change) && typeof change['path'] === 'string' ? nameIn(change['path']) : undefined;
    if (!isPlainObject(change) || name === undefined) return change;
    const masked = Object.fromEntries(
      ['before', 'after']
        .filter((side) => Object.hasOwn(change, side))
        .map((side) => [side, (maskWhole({ [name]: change[side] }, rules) as Record<string, unknown>)[name] ?? change[side]]),
    );
    return { ...change, ...masked };
  });
  return { ...result, changes };
}

/**
 * Returns the name by which a value at a path is a secret: that of its field, else that of an object around it. A key may contain a dot, so
 * otherwise the name is everything after the field of the input. It is shortened from the left, because `isSecretName` reads no long names.
 */
function nameIn(path: string): string {
  const names = path.split('.').slice(1);
  return names.findLast(isSecretName) ?? (names.join('.').slice(-200) || path);
}
