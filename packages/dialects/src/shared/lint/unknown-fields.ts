import type { HookEventName } from '@tenterhook/protocol';
import { nearestName } from '@tenterhook/runtime/text';
import type { DocumentPath, Reporter } from '../settings/reporter.js';

/**
 * The minimum length of a name for a suggestion by similarity. Shorter names are similar to too many others: `id` is similar to
 * `if`. For shorter names, only a difference in case counts.
 */
const fewestLetters = 4;

/**
 * Reports keys that are similar to a known field, because a misspelt setting would be ignored silently. Other unknown keys are
 * accepted. `of` is the noun in the message, e.g. `a hook`, `an action`.
 */
export function reportMisspelledKeys(
  value: Record<string, unknown>,
  known: readonly string[],
  path: readonly (string | number)[],
  of: string,
  reporter: Reporter,
  eventName?: HookEventName,
): void {
  for (const key of Object.keys(value)) {
    // Users add a key "comment", because JSON has no comments.
    if (known.includes(key) || key === 'comment' || isForeignField(key)) continue;
    const nearest = nearestKey(key, known);
    if (nearest === undefined) continue;
    reporter.report('invalid_field', 'warning', [...path, key], `"${key}" is not a field of ${of} and is ignored.`, {
      remedy: `Did you mean "${nearest}"?`,
      eventName,
    });
  }
}

function nearestKey(key: string, known: readonly string[]): string | undefined {
  const same = known.find((name) => name.toLowerCase() === key.toLowerCase());
  if (same !== undefined) return same;
  return nearestName(
    key,
    known.filter((name) => name.length >= fewestLetters),
  );
}

/** A field of other formats that changes whether or how a hook runs. */
interface ForeignField {
  /** What happens because this format does not have the field. In the message, it is the end of a sentence. */
  readonly effect: string;
  readonly remedy: string;
  /** A value that changes nothing, so it is not reported. @default every value is reported */
  readonly usual?: unknown;
  /**
   * Fields of other formats with the same meaning, each with the value to write. The remedy suggests the first of them that this
   * format has.
   */
  readonly instead?: Readonly<Record<string, unknown>>;
}

const inBackground = { effect: 'the agent waits for the hook', remedy: 'Remove it.', instead: { async: true } };
const closing = {
  effect: 'if the hook fails, the operation continues',
  remedy: 'Deny inside the hook.',
  instead: { onError: 'block', onFailure: 'block', failClosed: true },
};
const switchingOff = { effect: 'nothing is switched off', remedy: 'Remove the hooks that should not run.' };

/** Fields of the supported formats and of similar agents. Fields that only describe a hook, such as its name, are left out. */
const foreignFields: Readonly<Record<string, ForeignField>> = {
  enabled: { ...switchingOff, usual: true },
  disabled: { ...switchingOff, usual: false },
  if: { effect: 'it restricts nothing', remedy: 'Narrow the matcher, or decide inside the hook.' },
  matcher: { effect: 'the hook uses the matcher of its group', remedy: 'Move the matcher into the group, next to "hooks".' },
  args: { effect: 'they are not passed to the command', remedy: 'Write them into "command".' },
  shell: { effect: 'the command runs in the default shell', remedy: 'Name the shell in "command".', usual: 'bash' },
  cwd: { effect: 'the hook runs in the working directory of the event', remedy: 'Write "cd … &&" into "command".' },
  env: { effect: 'it sets no variables', remedy: 'Set variables in "command": NAME=value ….' },
  timeout: { effect: 'each hook has its own timeout', remedy: 'Remove it.' },
  once: { effect: 'the hook runs every time', remedy: 'Remove it.', usual: false },
  sequential: { effect: 'hooks run side by side', remedy: 'Remove it.', usual: false },
  async: { ...inBackground, usual: false },
  asyncRewake: { ...inBackground, usual: false },
  run_in_background: { ...inBackground, usual: false },
  blocking: { ...inBackground, usual: true },
  onError: { ...closing, usual: 'continue' },
  onFailure: { ...closing, usual: 'continue' },
  continueOnError: { ...closing, usual: true },
  failClosed: { ...closing, usual: false },
};

/** Tests whether a name is a field of another format, and so not a misspelling. */
export function isForeignField(name: string): boolean {
  return Object.hasOwn(foreignFields, name);
}

/**
 * Reports fields of other formats. This format ignores them, but their author relies on them. For example, a hook with a condition
 * of another format runs on every call. `known` are the fields of this format. `elsewhere` are the fields of a group if `fields` is
 * a hook, and the fields of a hook if `fields` is a group.
 */
export function reportForeignFields(
  fields: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: DocumentPath,
  of: 'a hook' | 'a hook group',
  reporter: Reporter,
  eventName: HookEventName,
  elsewhere: readonly string[] = [],
): void {
  for (const [key, value] of Object.entries(fields)) {
    const field = Object.hasOwn(foreignFields, key) && !known.includes(key) ? foreignFields[key] : undefined;
    if (field === undefined || value === undefined || value === null || value === field.usual) continue;
    const message = `"${key}" is not a field of ${of} in this format and is ignored: ${field.effect}.`;
    const move = of === 'a hook' ? 'Write the field into the group, next to "hooks".' : 'Write the field into the hooks of the group.';
    const remedy = elsewhere.includes(key) ? move : remedyFor(field, [...known, ...elsewhere]);
    reporter.report('invalid_field', 'warning', [...path, key], message, { remedy, eventName });
  }
}

function remedyFor({ instead = {}, remedy }: ForeignField, known: readonly string[]): string {
  const own = Object.entries(instead).find(([name]) => known.includes(name));
  return own === undefined ? remedy : `Write "${own[0]}": ${JSON.stringify(own[1])}.`;
}
