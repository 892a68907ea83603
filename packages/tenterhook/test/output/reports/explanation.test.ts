import type { ExplainedHook, Explanation } from '@tenterhook/engine';
import { eventEntry, hookEventNames } from '@tenterhook/protocol';
import { renderDiagnostics, renderExplainedHooks, summarise } from '../../../src/output/reports/explanation.js';
import { plainStyle } from '../../../src/output/reports/report-style.js';
import { createPaint } from '../../../src/output/terminal/palette.js';

const colourful = { ...plainStyle, paint: createPaint(true) };

const nowhere = new Map<string, number>();

test('nothing is configured: said, and where there are hooks instead', () => {
  expect(summarise(explanation([]), nowhere)).toBe('No hook is configured for BeforeTool.');
  const elsewhere = new Map([
    ['AfterTool', 2],
    ['SessionStart', 1],
  ]);
  expect(summarise(explanation([]), elsewhere)).toBe(
    'No hook is configured for BeforeTool. Hooks are configured for AfterTool (2), SessionStart (1).',
  );
});

const skipped = { wouldRun: false, skipReason: 'matcher' } as const;
const undecided = { ...skipped, missingField: 'tool_name' };

const sentences: Record<string, [hooks: Partial<ExplainedHook>[], sentence: string]> = {
  'one of one': [[{ stage: 1 }], '1 of 1 hook would run.'],
  'none of two': [[skipped, skipped], '0 of 2 hooks would run.'],
  'two of four in one stage': [[{ stage: 1 }, skipped, { stage: 1 }, skipped], '2 of 4 hooks would run, side by side.'],
  'two in a stage each': [[{ stage: 1 }, { stage: 2 }], '2 of 2 hooks would run, one after another.'],
  'three in two stages': [[{ stage: 1 }, { stage: 2 }, { stage: 2 }], '3 of 3 hooks would run, in 2 stages one after another.'],
  'one that is undecided': [
    [{ ...undecided, stage: 1 }],
    `Whether the hook would run depends on tool_name. Pass it, for example --input '{"tool_name":"write_file"}'.`,
  ],
  'two that are undecided': [
    [undecided, undecided],
    `Which of the 2 hooks would run depends on tool_name. Pass it, for example --input '{"tool_name":"write_file"}'.`,
  ],
  'one that runs and one that is undecided': [
    [{ stage: 1 }, undecided],
    `1 of 2 hooks would run; whether 1 more would run depends on tool_name. Pass it, for example --input '{"tool_name":"write_file"}'.`,
  ],
};

test.each(Object.entries(sentences))('the sentence for %s', (_, [hooks, sentence]) => {
  expect(summarise(explanation(hooks), nowhere)).toBe(sentence);
});

test('the example is the one that the event itself gives', () => {
  for (const eventName of hookEventNames) {
    const { matcherField, matcherExample } = eventEntry(eventName);
    if (matcherField === undefined) continue;
    const sentence = summarise({ ...explanation([{ ...undecided, missingField: matcherField }]), eventName }, nowhere);
    expect(sentence).toContain(`--input '${JSON.stringify({ [matcherField]: matcherExample })}'`);
  }
});

test('a hook: its fate and stage, the reason, the command, and what the settings say of it', () => {
  const hooks = [
    { stage: 1, reason: 'it matches', command: './guard.sh', matcher: 'write_*', file: '/x.json', line: 3, onError: 'block' as const },
    { ...undecided, stage: 2, reason: 'it runs when it matches' },
    { ...skipped, reason: 'it does not match', hidden: true as const },
  ];
  expect(renderExplainedHooks(explanation(hooks), 'BeforeTool write_file', plainStyle)).toEqual([
    'BeforeTool write_file',
    '  ● llxprt/project/BeforeTool/0  would run, stage 1 of 2',
    '      it matches',
    '      $ ./guard.sh',
    '      matcher "write_*" · timeout 60000 ms · onError block · project, llxprt · /x.json:3',
    '  ? llxprt/project/BeforeTool/1  depends on tool_name, stage 2 of 2',
    '      it runs when it matches',
    '      no matcher · timeout 60000 ms · project, llxprt · project',
    '  ○ llxprt/project/BeforeTool/2  would not run: matcher',
    '      it does not match',
    '      no matcher · timeout 60000 ms · hidden · project, llxprt · project',
  ]);
});

test('text of settings is escaped and bounded, whichever field it is in', () => {
  const hostile = `\u001b[2J${'x'.repeat(100_000)}\u202e`;
  const hooks = [
    { hookId: hostile, reason: hostile, command: hostile, matcher: hostile, file: hostile, skipReason: hostile as never, wouldRun: false },
  ];
  const diagnostics = [{ code: 'invalid_hook' as const, severity: 'error' as const, message: hostile }];
  const lines = [...renderExplainedHooks(explanation(hooks), hostile, plainStyle), ...renderDiagnostics(diagnostics, [], plainStyle)];
  for (const line of lines) expect(line).not.toMatch(/[\u001b\u202e]/);
  expect(lines.join('').length).toBeLessThan(6_000);
});

test('colours only where there are any', () => {
  expect(renderExplainedHooks(explanation([{}]), 'BeforeTool', colourful).join('')).toContain('\u001b[32m●');
  expect(renderDiagnostics([], [], colourful)).toEqual([]);
});

function explanation(hooks: readonly Partial<ExplainedHook>[]): Explanation {
  const whole = hooks.map(
    (fields, index): ExplainedHook => ({
      hookId: `llxprt/project/BeforeTool/${index}`,
      dialect: 'llxprt',
      source: 'project',
      wouldRun: true,
      reason: '',
      timeoutMs: 60_000,
      onError: 'continue',
      ...fields,
    }),
  );
  return { eventName: 'BeforeTool', hooks: whole, diagnostics: [] };
}
