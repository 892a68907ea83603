import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { llxprt } from '@tenterhook/dialects';
import type { Dialect } from '@tenterhook/protocol';
import { createHooks } from 'tenterhook';
import { type DialectConformanceOptions, dialectConformance } from '../../src/index.js';

/** Options with a correct dialect. Tests change this dialect to break one rule. */
export const llxprtOptions: DialectConformanceOptions = {
  dialect: () => llxprt(),
  settings: (hooks) => {
    const groups: Record<string, unknown[]> = {};
    for (const { eventName, name, command, timeoutMs, matcher } of hooks) {
      groups[eventName] = [...(groups[eventName] ?? []), { matcher, hooks: [{ name, command, timeout: timeoutMs }] }];
    }
    return { hooks: groups };
  },
  answers: { eventName: 'BeforeTool', deny: { decision: 'deny', reason: 'no' }, allow: { decision: 'allow' } },
  fire: async (dialect, settings, eventName, input) => {
    const projectDir = mkdtempSync(join(tmpdir(), 'tenterhook-conformance-'));
    const hooks = await createHooks({ projectDir, dialects: [dialect], settings: [settings as object] });
    try {
      return await hooks.getEventHandler().fire(eventName, input);
    } finally {
      await hooks.dispose();
      rmSync(projectDir, { recursive: true, force: true });
    }
  },
};

/** The change that breaks the dialect, part of the title of the case that must fail, and the message of this case. */
export type Broken = readonly [breakIt: (inner: Dialect) => Partial<Dialect>, title: RegExp, message: RegExp];

/** One event of each kind that the suite treats differently. A broken rule is broken on all of them. */
const events = { BeforeTool: 'BeforeTool', AfterTool: 'AfterTool', BeforeAgent: 'BeforeAgent', Notification: 'Notification' } as const;

/** Returns the dialect of LLxprt with this change. */
function changed(breakIt: Broken[0]): () => Dialect {
  return () => {
    const inner = llxprt();
    return { ...inner, events, ...breakIt(inner) };
  };
}

/** Tests that each of these dialects passes the cases with these titles. */
export function testKept(
  table: Readonly<Record<string, readonly [keepIt: Broken[0], titles: RegExp, more?: Partial<DialectConformanceOptions>]>>,
): void {
  for (const [name, [keepIt, titles, more = {}]] of Object.entries(table)) {
    const found = dialectConformance({ ...llxprtOptions, dialect: changed(keepIt), ...more }).filter((each) => titles.test(each.title));
    test.each(found.map(({ title, run }) => [title, run] as const))(`a dialect that ${name} passes: %s`, (_, run) => run());
  }
}

/** Tests that each of these dialects fails in the case about its broken rule. */
export function testBroken(table: Readonly<Record<string, Broken>>, more: Partial<DialectConformanceOptions> = {}): void {
  test.each(Object.entries(table))('a dialect that %s does not pass', async (_, [breakIt, title, message]) => {
    const [found, ...others] = dialectConformance({ ...llxprtOptions, dialect: changed(breakIt), ...more }).filter((each) =>
      title.test(each.title),
    );
    expect([found?.title, others.map((other) => other.title)]).toEqual([expect.any(String), []]);
    await expect(found?.run()).rejects.toThrow(message);
  });
}
