import { codex } from '@tenterhook/dialects';
import type { RelayFormat } from '@tenterhook/protocol';
import { formOf, type Installation } from '@tenterhook/relay';
import { readToml, writeToml } from '@tenterhook/runtime/toml';
import fc from 'fast-check';
import { context } from './edits.js';

const form = formOf('config.toml');
const dialect = codex();
const relay = dialect.relay as RelayFormat;
const events = Object.keys(relay.events);
const always = events.filter((event) => relay.events[event]?.install === 'always');

/** Parts of a file without hooks. Some look like tables, or like the block of the entries. */
const part = fc.constantFrom(
  '[features]\nhooks = true\n',
  '\n# a comment\n\n[projects."/srv/a b"] # trusted\ntrust_level = "trusted"\n',
  '[profiles.one]\ntext = """\n[[hooks.Stop]]\n# tenterhook relay\n"""\n',
  "[mcp_servers.x]\nargs = [\n  'a', # one\n  '[x]',\n]\n\n",
  '[hooks.state."/home/u/.codex/hooks.json:stop:0:0"]\nenabled = false\n',
  '# tenterhook relay begin: "/srv/hooks.json"\n[hooks.state."/srv/hooks.json:stop:0:0"]\ntrusted_hash = "x"\n# tenterhook relay end\n',
);
const own = fc.record({
  event: fc.constantFrom(...events),
  indent: fc.constantFrom('', '  '),
  note: fc.constantFrom('', '# mine\n', '\n'),
  isInline: fc.boolean(),
});
type Own = typeof own extends fc.Arbitrary<infer Value> ? Value : never;

function hookText({ event, indent, note, isInline }: Own, index: number): string {
  const hook = `type = "command"\n${indent}command = "/home/u/mine-${index}"`;
  if (isInline) return `${note}[[hooks.${event}]]\nhooks = [ { ${hook.replace(/\n */, ', ')} } ]\n`;
  return `${note}${indent}[[hooks.${event}]]\n${indent}[[hooks.${event}.hooks]] # mine\n${indent}${hook}\n`;
}

const file = fc.record({
  root: fc.constantFrom('', 'model = "m"\n', '# the root\nmodel = "m" # here\n\n'),
  parts: fc.uniqueArray(part, { maxLength: 4 }),
  own: fc.array(own, { minLength: 1, maxLength: 4 }),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  lastLineEnd: fc.boolean(),
  mark: fc.boolean(),
  closed: fc.boolean(),
});

/** Programs and people edit the file after an installation. Each edit changes only what is not ours. */
const edits: readonly ((text: string, lineEnd: string) => string)[] = [
  (text, lineEnd) => text.replace(/^\uFEFF?/, (mark) => `${mark}# by hand${lineEnd}`),
  (text, lineEnd) => `${text}${text.endsWith('\n') ? '' : lineEnd}[tui]${lineEnd}theme = "x"${lineEnd}`,
];

/** Installing keeps what the user wrote, twice is once, and uninstalling gives back the first bytes. */
export function keepsTheTomlFile(numRuns: number): void {
  fc.assert(
    fc.property(file, ({ root, parts, own: hooks, lineEnd, lastLineEnd, mark, closed }) => {
      const whole = `${root}${parts.join('')}${hooks.map(hookText).join('')}`.replace(lastLineEnd ? '' : /\n$/, '');
      const before = `${mark ? '\uFEFF' : ''}${whole.replaceAll('\n', lineEnd)}`;
      const valueIn = (text: string) => {
        const read = readToml(text.replace('\uFEFF', ''));
        if (!read.ok) throw new Error(`${read.error.message} in ${text}`);
        return read.value as Readonly<Record<string, unknown>>;
      };
      const installation = (timeoutMs: number): Installation => ({
        format: relay,
        events: always,
        command: (event) => ({ program: "/home/it's/bin/tenterhook-hook", args: ['codex', event] }),
        options: () => ({ timeoutMs, onFailure: closed ? 'closed' : 'open' }),
      });
      const install = (text: string, timeoutMs = 65_000) => {
        const planned = form.planInstall(text, installation(timeoutMs));
        if ('problem' in planned) throw new Error(`${planned.problem} in ${text}`);
        return planned.text;
      };

      const text = install(before);
      const parsed = dialect.parse({ source: 'user', value: valueIn(text), locate: () => undefined }, context);
      const commands = parsed.hooks.map(({ action }) => (action.kind === 'command' ? action.command : ''));
      expect(commands.filter((command) => command.includes('mine-'))).toHaveLength(hooks.length);
      expect(commands.filter((command) => command.includes('tenterhook-hook'))).toHaveLength(always.length);
      expect(text.startsWith(before)).toBe(true);
      if (lineEnd === '\r\n' && before.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');

      const record = { before, after: text };
      expect(install(text)).toBe(text);
      for (const left of [record, undefined]) expect(form.planUninstall(text, relay, left)).toEqual({ text: before });
      expect(form.isEdited(text, record)).toBe(false);
      expect(form.isEdited(install(text, 70_000), record)).toBe(true);

      for (const edit of edits) {
        const edited = edit(text, lineEnd);
        const expected = edit(before, lineEnd);
        expect(form.isEdited(edited, record)).toBe(false);
        for (const left of [record, undefined]) expect(form.planUninstall(edited, relay, left)).toEqual({ text: expected });
        const again = install(edited, 70_000);
        expect(form.textBefore(edited, record)).toBe(expected);
        expect(form.planUninstall(again, relay, record)).toEqual({ text: expected });
      }
      // A program that keeps comments adds a table before the last of them, so into the block.
      const table = `[tui]${lineEnd}theme = "x"${lineEnd}`;
      const at = text.lastIndexOf('# tenterhook relay end');
      const inside = form.planUninstall(`${text.slice(0, at)}${table}${text.slice(at)}`, relay, record);
      expect(inside).toEqual({ text: `${before}${/\n$/.test(before) || before === '' ? '' : lineEnd}${table}` });
      // For TOML, a key below the block is in its last table, but it is of the user.
      const key = `more = 1${lineEnd}`;
      const below = form.planUninstall(`${text}${text.endsWith('\n') ? '' : lineEnd}${key}`, relay, record);
      expect(below).toEqual({ text: `${before}${/\n$/.test(before) ? '' : lineEnd}${key}` });
      // Without the marks, the entries are found by their command.
      const unmarked = text.replace(/# tenterhook relay begin\r?\n/, '').replace(/# tenterhook relay end(?:\r?\n)?$/, '');
      const ended = before.endsWith('\n') || !lastLineEnd ? before : `${before}${lineEnd}`;
      expect(form.planUninstall(unmarked, relay, undefined)).toEqual({ text: lastLineEnd ? ended : `${before}${lineEnd}` });
      // A program that writes the whole file anew keeps neither comments nor layout.
      const rewritten = writeToml(valueIn(text));
      const left = form.planUninstall(rewritten, relay, record);
      if ('problem' in left || left.text === null) throw new Error(JSON.stringify(left));
      const names = (value: string) => JSON.stringify(valueIn(value)).match(/mine-\d/g);
      expect(names(left.text)).toEqual(names(rewritten));
      expect(left.text).not.toContain('tenterhook-hook');
    }),
    { numRuns },
  );
}
