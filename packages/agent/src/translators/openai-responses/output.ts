import { type Fields, fieldsOf, isSameList, withFields } from '../fields.js';
import { type ResponseParts, type ReturnedPart, reuseParts } from '../returned-candidates.js';
import { rewriteTextParts } from '../text-parts.js';
import { groupItems, type ItemFormat, isMessage, isReasoning, partsOf, textParts } from './items.js';

/** An item of the new output. `place` is the index of its original. A new item has the index of the item whose reasoning it follows, or comes last. */
interface WrittenItem {
  readonly item: unknown;
  readonly place: number;
}

/** Replaces the text. If there is none, the new text is inserted after the reasoning and before the calls. */
export function rewriteOutputText(format: ItemFormat, output: readonly unknown[], text: string): readonly unknown[] {
  const parts = output.flatMap((item, place) => (isMessage(item) ? partsOf(item).map((part) => ({ part, place })) : []));
  const rewritten = rewriteTextParts(
    {
      textOf: ({ part }) => textParts.textOf(part),
      withText: ({ part, place }, newText) => ({ part: textParts.withText(part, newText), place }),
    },
    parts,
    text,
  );
  const hadText = parts.some(({ part }) => textParts.textOf(part) !== undefined);
  const written = output.flatMap((item, place): WrittenItem[] => {
    if (!isReplaced(format, item)) return [];
    if (!isMessage(item)) return [{ item, place }];
    const content = rewritten.filter((each) => each.place === place).map(({ part }) => part);
    return content.length === 0 ? [] : [{ item: withContent(item, content), place }];
  });
  if (hadText) return joinOutput(format, written, output);
  const at = written.findIndex(({ item }) => format.isCall(item));
  const added: WrittenItem = { item: format.createAnswer([format.createText(text)]), place: written[at]?.place ?? output.length };
  return joinOutput(format, at < 0 ? [...written, added] : written.toSpliced(at, 0, added), output);
}

/**
 * Replaces messages and calls by the parts that a hook returned. A part with the same content as one of the model is that part, with what
 * belongs to it: the item's id, its reasoning. Calls that the service ran itself stay, because hooks neither see nor return them.
 */
export function replaceOutput(format: ItemFormat, returned: readonly ReturnedPart[], output: readonly unknown[]): readonly unknown[] {
  const places = new Map(output.map((item, place) => [item, place]));
  const calls = reuseParts(
    callParts(format, output),
    returned.filter(({ kind }) => kind === 'call'),
    output.filter(format.isCall),
  ).values();
  const texts = placeTexts(format, returned, output).values();
  const written: (WrittenItem & { content?: unknown[] })[] = [];
  for (const { kind } of returned) {
    if (kind === 'call') {
      const item = calls.next().value;
      written.push({ item, place: places.get(item) ?? output.length });
    } else if (kind === 'text') {
      const { part, place } = texts.next().value!;
      const message = written.find((each) => each.content !== undefined && each.place === place);
      if (message === undefined) written.push({ item: output[place] ?? format.createAnswer([]), place, content: [part] });
      else message.content!.push(part);
    }
  }
  return joinOutput(
    format,
    written.map(({ item, place, content }) => ({
      item: content === undefined ? item : withContent(item, [...content, ...otherPartsOf(item)]),
      place,
    })),
    output,
  );
}

/**
 * Returns a part for each text that a hook returned, and the message in which it belongs. Lists of the same length are paired by position.
 * Otherwise equal texts are paired, and a new text belongs to the message of the text before it.
 */
function placeTexts(format: ItemFormat, returned: readonly ReturnedPart[], output: readonly unknown[]): { part: unknown; place: number }[] {
  const wanted = returned.flatMap((part) => (part.kind === 'text' ? part.text : []));
  const parts = output.flatMap((item, place) =>
    isMessage(item) ? partsOf(item).flatMap((part) => (textParts.textOf(part) ? { part, place } : [])) : [],
  );
  const byPosition = wanted.length === parts.length;
  // A new message follows the reasoning at the end, if there is any.
  let [next, place] = [0, parts[0]?.place ?? output.length];
  return wanted.map((text) => {
    const found = byPosition ? next : parts.findIndex(({ part }, index) => index >= next && textParts.textOf(part) === text);
    const original = parts[found];
    if (original === undefined) return { part: format.createText(text), place };
    next = found + 1;
    place = original.place;
    return { part: textParts.textOf(original.part) === text ? original.part : textParts.withText(original.part, text), place };
  });
}

/** Writes the list of items: before each the reasoning that led to it, and the items of the service where they were. */
function joinOutput(format: ItemFormat, written: readonly WrittenItem[], output: readonly unknown[]): readonly unknown[] {
  const places = new Map(output.map((item, place) => [item, place]));
  const reasoning = new Map<number, readonly unknown[]>();
  for (const { items } of groupItems(format, output)) {
    const thoughts = items.filter(isReasoning);
    for (const item of items) reasoning.set(places.get(item)!, isReasoning(item) ? [] : thoughts);
    // Reasoning at the end led to nothing yet.
    if (thoughts.length === items.length) reasoning.set(output.length, thoughts);
  }
  const joined = new Set<unknown>();
  const add = (place: number, item?: unknown) => {
    for (const thought of reasoning.get(place) ?? []) joined.add(thought);
    if (item !== undefined) joined.add(item);
  };
  let next = 0;
  const addOthers = (end: number) => {
    for (; next < end; next++) if (!isReplaced(format, output[next]) && !isReasoning(output[next])) add(next, output[next]);
  };
  for (const { item, place } of written) {
    addOthers(place);
    add(place, item);
  }
  addOthers(output.length);
  add(output.length);
  return isSameList([...joined], output) ? output : [...joined];
}

/** Whether an item is replaced by what a hook returned. A refusal alone is not, because hooks do not see it. */
function isReplaced(format: ItemFormat, item: unknown): boolean {
  return format.isCall(item) || (isMessage(item) && partsOf(item).some((part) => textParts.textOf(part) !== undefined));
}

function callParts(format: ItemFormat, output: readonly unknown[]): ResponseParts<unknown> {
  return {
    read(item) {
      const call = format.callOf(item);
      return call && { kind: 'call', call };
    },
    create: (returned) => (returned.kind === 'call' ? format.createCall(returned.call, output) : undefined),
  };
}

function otherPartsOf(item: unknown): readonly unknown[] {
  return partsOf(item).filter((part) => textParts.textOf(part) === undefined);
}

function withContent(item: unknown, content: readonly unknown[]): Fields {
  return withFields(fieldsOf(item), isSameList(content, partsOf(item)) ? {} : { content });
}

/** Returns the texts of the messages of an output. */
export function outputTexts(output: readonly unknown[]): string[] {
  return output.filter(isMessage).flatMap((item) => partsOf(item).flatMap((part) => textParts.textOf(part) || []));
}
