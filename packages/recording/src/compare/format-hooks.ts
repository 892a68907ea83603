import { outcomesIn } from '@tenterhook/protocol/internal';
import { isPlainObject } from '@tenterhook/runtime/json';
import { escapeUnseen, textOfField } from '@tenterhook/runtime/text';

/** Returns the last part of the id of a hook, which is its name or its place. */
export function shortHook(hookId: string): string {
  const name = hookId.split('/').at(-1) as string;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns a row for each hook that ended in another way: its name, and both ends. */
export function formatHooks(before: object, after: object): (readonly [label: string, text: string])[] {
  const [was, is] = [endsOf(before), endsOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((key) => [key, was.get(key), is.get(key)] as const)
    .filter(([, one, other]) => one !== other)
    .map(([key, one = '–', other = '–']) => [escapeUnseen(key), escapeUnseen(`${one} → ${other}`)]);
}

/** The end of each hook as a text, by its short name. Hooks that share a name have their whole id. */
function endsOf(side: object): Map<string, string> {
  const outcomes = outcomesIn(side) ?? [];
  const names = outcomes.map(({ hookId }) => shortHook(textOfField(hookId)));
  const isUnique = (name: string) => names.filter((one) => one === name).length === 1;
  return new Map(
    outcomes.map((outcome, index) => {
      const name = names[index] as string;
      const again = outcome['recheck'] === true ? ' (asked again)' : '';
      return [`${isUnique(name) ? name : textOfField(outcome['hookId'])}${again}`, endOf(outcome)];
    }),
  );
}

function endOf({ status, skipReason, warnings, exitCode, signal }: Readonly<Record<string, unknown>>): string {
  const codes = (Array.isArray(warnings) ? warnings : []).map((warning) => (isPlainObject(warning) ? textOfField(warning['code']) : ''));
  const details =
    status === 'skipped' ? [skipReason] : status === 'failed' && codes.length > 0 ? codes : [...codes, exitOf(exitCode, signal)];
  const text = details.filter((detail) => typeof detail === 'string' && detail !== '').join(', ');
  return text === '' ? textOfField(status) : `${textOfField(status)}: ${text}`;
}

function exitOf(exitCode: unknown, signal: unknown): string | undefined {
  if (typeof signal === 'string') return signal;
  return typeof exitCode === 'number' && exitCode !== 0 ? `exit ${exitCode}` : undefined;
}
