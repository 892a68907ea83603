import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '@tenterhook/dialects';
import { eventEntry } from '@tenterhook/protocol';
import { type ClaudeEvent, claudeEvents, factsOf } from '../../packages/dialects/src/claude-code/input/event-table.js';
import { claudeTools } from '../../packages/dialects/src/claude-code/tools/tool-table.js';
import { canonicalTools } from '../../packages/dialects/src/shared/tools/canonical-tools.js';
import type { ToolKind } from '../../packages/dialects/src/shared/tools/tool-table.js';
import { root } from '../support/sources.js';

const page = readFileSync(join(root, 'docs/claude-code.md'), 'utf8');

/** The cells of the table whose first cell has this text. A `|` in a cell is escaped. */
function tableOf(first: string): string[][] {
  const table = page.split(new RegExp(`^\\| ${first} +\\|`, 'm'))[1]?.split('\n\n')[0] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()));
}

const codeIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);

test('every field of the settings has a row', () => {
  const { definitions = {}, properties = {} } = (claudeCode().settingsJsonSchema?.() ?? {}) as {
    definitions?: Record<string, { properties: object }>;
    properties?: object;
  };
  const fields = [...Object.values(definitions).flatMap((hook) => Object.keys(hook.properties)), ...Object.keys(properties)];
  const rows = [...page.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1]);
  expect(definitions).not.toEqual({});
  expect(rows).toEqual(expect.arrayContaining(fields.filter((field) => field !== '$schema')));
});

test('every event has a row, and the row says what holds for it', () => {
  const rows = tableOf('event').map(([, event, here = '', subject, text, exit2 = '']) => ({
    event: codeIn(event)[0],
    here: /\[(\w+)\]/.exec(here)?.[1],
    isOfHost: here.includes('¹'),
    subject: codeIn(subject)[0],
    isTextTold: text !== '',
    isRejected: exit2 !== 'a warning',
  }));
  expect(rows).toEqual(
    (Object.keys(claudeEvents) as ClaudeEvent[]).map((event) => {
      const { eventName, subject, takesText, rejects } = factsOf(event);
      return {
        event,
        here: eventName,
        isOfHost: eventEntry(eventName).firedBy === 'host',
        subject,
        isTextTold: takesText === true || event === 'WorktreeCreate',
        isRejected: rejects !== undefined,
      };
    }),
  );
});

test('every tool has a row with its names and with the arguments that are called otherwise', () => {
  const rows = tableOf('the agent.s tool');
  for (const [kind, { names, keys = {} }] of Object.entries(claudeTools)) {
    const canonical = canonicalTools[kind as ToolKind];
    const [, , reported, renamed = ''] = rows.find(([, hosts]) => codeIn(hosts)[0] === canonical?.names[0]) ?? [];
    expect({ kind, names: codeIn(reported) }).toEqual({ kind, names });
    const words = codeIn(renamed);
    const missing = Object.entries(keys).filter(([role, [key = '']]) => {
      const of = Object.entries(canonical?.keys ?? {}).find(([other]) => other === role)?.[1] ?? [];
      return of.length > 0 && of[0] !== key && !words.includes(key);
    });
    expect({ kind, missing }).toEqual({ kind, missing: [] });
  }
});
