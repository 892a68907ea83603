import type { Dialect, RelayFormat } from '@tenterhook/protocol';
import { formOf, type Installation } from '@tenterhook/relay';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';

const { planInstall, planUninstall, textBefore } = formOf('settings.json');
/** Where the settings of these tests are. Nothing is read there. */
export const context = {
  projectDir: '/srv/app',
  home: '/home/u',
  environment: {},
  platform: 'linux',
  files: { isFile: () => false, isExecutable: () => false, head: () => undefined },
};

/** A hook of the user in the format of an agent, under its event or key. */
function ownHook(dialect: Dialect, relay: RelayFormat, event: string, index: number): readonly [at: readonly string[], value: unknown] {
  const { at, key, value } = relay.entry(event, { program: `/home/u/mine-${index}`, args: [] }, { timeoutMs: 5000, onFailure: 'open' });
  return key === undefined ? [at, [value]] : [[...at, `mine-${dialect.name}-${index}`], value];
}

const plain = fc.constantFrom<unknown>('x', 5, true, null, 'http://a//b', '/* not a comment */', [], {}, [1, { a: 'b' }]);
const layout = fc.record({
  indent: fc.constantFrom('', '  ', '    ', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  comments: fc.boolean(),
  trailingComma: fc.boolean(),
  lastLineEnd: fc.boolean(),
  mark: fc.boolean(),
});
type Layout = typeof layout extends fc.Arbitrary<infer Value> ? Value : never;

function write(value: unknown, { indent, lineEnd, comments, trailingComma }: Layout, depth = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => write(item, { indent, lineEnd, comments, trailingComma } as Layout, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}: ${write(item, { indent, lineEnd, comments, trailingComma } as Layout, depth + 1)}`,
      );
  if (items.length === 0) return `${open}${close}`;
  const isOnOneLine = indent === '';
  const before = isOnOneLine ? ' ' : `${lineEnd}${indent.repeat(depth + 1)}`;
  const after = isOnOneLine ? ' ' : `${lineEnd}${indent.repeat(depth)}`;
  const noted = items.map((item, index) => {
    const comma = index < items.length - 1 || trailingComma ? ',' : '';
    if (!comments) return `${item}${comma}`;
    return isOnOneLine ? `/* c${depth}.${index} */ ${item}${comma}` : `${item}${comma} // c${depth}.${index}`;
  });
  return `${open}${before}${noted.join(before)}${after}${close}`;
}

/** Removes empty lists and objects of hooks: whether they stay does not matter. */
function pruned(value: unknown): unknown {
  const { hooks, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const kept = Object.entries((hooks ?? {}) as object).filter(([, list]) => !Array.isArray(list) || list.length > 0);
  return { ...others, ...(kept.length === 0 ? {} : { hooks: Object.fromEntries(kept) }) };
}

/** Installing keeps what the user wrote, twice is once, and uninstalling gives back the first bytes. */
export function keepsTheFile(dialect: Dialect, relay: RelayFormat, numRuns: number): void {
  const names = Object.keys(relay.events);
  const always = names.filter((event) => relay.events[event]?.install === 'always');
  const settings = fc.record({
    first: fc.dictionary(fc.constantFrom('theme', 'model', 'env', 'note'), plain, { maxKeys: 3 }),
    own: fc.array(fc.constantFrom(...names), { maxLength: 4 }),
    last: fc.dictionary(fc.constantFrom('x', 'permissions'), plain, { maxKeys: 2 }),
    isThere: fc.boolean(),
    layout,
    closed: fc.boolean(),
  });
  fc.assert(
    fc.property(settings, ({ first, own, last, isThere, layout: style, closed }) => {
      const hooks: Record<string, unknown> = {};
      for (const [index, event] of own.entries()) {
        const [at, value] = ownHook(dialect, relay, event, index);
        const key = at[1] as string;
        hooks[key] = Array.isArray(value) ? [...((hooks[key] as unknown[] | undefined) ?? []), ...value] : value;
      }
      const whole = { ...first, ...(isThere || own.length > 0 ? { hooks } : {}), ...last };
      const isStrict = relay.strictJson === true || relay.unread !== undefined;
      const strict = isStrict ? { ...style, comments: style.comments && relay.strictJson !== true, trailingComma: false } : style;
      const before = `${strict.mark ? '\uFEFF' : ''}${write(whole, strict)}${strict.lastLineEnd ? strict.lineEnd : ''}`;
      const installation: Installation = {
        format: relay,
        events: always,
        command: (event) => ({ program: '/home/u/bin/tenterhook-hook', args: [dialect.name, event] }),
        options: () => ({ timeoutMs: 65_000, onFailure: closed ? 'closed' : 'open' }),
      };

      fc.pre(relay.unread?.(before) === undefined);
      const installed = planInstall(before, installation);
      if ('problem' in installed) throw new Error(installed.problem);
      const { text } = installed;
      const value = parse(text.replace('\uFEFF', ''), [], { allowTrailingComma: true }) as Readonly<Record<string, unknown>>;
      expect(value).toMatchObject({ ...first, ...last });
      if (relay.strictJson) expect(JSON.parse(text.replace('\uFEFF', ''))).toEqual(value);
      const parsed = dialect.parse({ source: 'user', value, locate: () => undefined }, context);
      const commands = parsed.hooks.map(({ action }) => (action.kind === 'command' ? action.command : ''));
      for (const index of own.keys()) expect(commands.some((command) => command.includes(`mine-${index}`))).toBe(true);
      expect(commands.filter((command) => command.includes('tenterhook-hook'))).toHaveLength(always.length);
      for (const [comment] of before.matchAll(/\/\/ c\d+\.\d+|\/\* c\d+\.\d+ \*\//g)) expect(text).toContain(comment);
      if (style.lineEnd === '\r\n' && before.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');

      expect(planInstall(text, installation)).toEqual({ text });
      expect(planUninstall(text, relay, { before, after: text })).toEqual({ text: before });
      // An edit by hand stays, and everything else is as it was.
      const isEditable = Object.keys(whole).length > 0;
      const byHand = (one: string) => one.replace('{', '{ "hand": 1,').concat(strict.lastLineEnd ? strict.lineEnd : '');
      if (isEditable && relay.unread?.(byHand(before)) === undefined) {
        const other = { ...installation, options: () => ({ timeoutMs: 70_000, onFailure: 'open' as const }) };
        expect(planUninstall(byHand(text), relay, { before, after: text })).toEqual({ text: byHand(before) });
        const again = planInstall(byHand(text), other);
        if ('problem' in again) throw new Error(again.problem);
        const record = { before: textBefore(byHand(text), { before, after: text }), after: again.text };
        expect(planUninstall(again.text, relay, record)).toEqual({ text: byHand(before) });
      }

      const alone = planUninstall(text, relay, undefined);
      if ('problem' in alone) throw new Error(alone.problem);
      if (alone.text === null) {
        expect({ file: relay.ownFile, whole: pruned(whole) }).toEqual({ file: expect.any(String), whole: {} });
        return;
      }
      const left = parse(alone.text.replace('\uFEFF', ''), [], { allowTrailingComma: true });
      const switches = always.flatMap(
        (event) => relay.entry(event, installation.command(event), installation.options(event)).switches ?? [],
      );
      const expected = switches.reduce((all: unknown, { path: [section = '', name], value: set }) => {
        const fields = all as Readonly<Record<string, object>>;
        return { ...fields, [section]: name === undefined ? set : { ...fields[section], [name]: set } };
      }, whole);
      expect(pruned(left)).toEqual(pruned(expected));
      for (const [comment] of before.matchAll(/\/\/ c\d+\.\d+|\/\* c\d+\.\d+ \*\//g)) expect(alone.text).toContain(comment);
    }),
    { numRuns },
  );
}
