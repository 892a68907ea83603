import type { HookExecutionResponse, HookOutcome, Verdict } from '@tenterhook/protocol';
import { createPaint, plainPaint } from '../../../src/output/terminal/palette.js';
import { countColumns } from '../../../src/output/terminal/text-layout.js';
import { createEventRecord } from '../../../src/output/timeline/event-record.js';
import { renderTimeline, renderVerdict } from '../../../src/output/timeline/timeline.js';
import { idOf, outcome, record, response, verdict } from './samples.js';

const at80 = { width: 80, paint: plainPaint };
const crash =
  'BeforeTool hook "crashy" failed with exit code 1: file:///hooks/crashy.mjs:6\nthrow new TypeError();\n      ^\n\nTypeError: no timings\n    at x';

/** One hook with each kind of outcome. */
const outcomes: HookOutcome[] = [
  outcome('stay-inside', { durationMs: 40 }),
  outcome('redact-secrets', { durationMs: 60, output: { hookSpecificOutput: { tool_input: { content: '[REDACTED]' } } } }),
  outcome('lint-command', { status: 'skipped', skipReason: 'matcher' }),
  outcome('guard', { status: 'blocked', durationMs: 20, exitCode: 2, output: { decision: 'deny', reason: 'not on Sundays' } }),
  outcome('crashy', { status: 'failed', durationMs: 90, exitCode: 1, warnings: [{ code: 'exit_code', message: crash }] }),
  outcome('slow', {
    status: 'timed-out',
    durationMs: 302,
    warnings: [{ code: 'timeout', message: 'BeforeTool hook "slow" did not end within 300 ms and was stopped.' }],
  }),
  outcome('copy', { status: 'skipped', skipReason: 'duplicate', duplicateOf: idOf('guard') }),
  outcome('audit', { status: 'detached' }),
  outcome('late', {
    status: 'cancelled',
    warnings: [{ code: 'not_started', message: 'BeforeTool hook "late" did not run: the event was cancelled.' }],
  }),
];
const started = { 'stay-inside': 0, 'redact-secrets': 40, guard: 100, crashy: 100, slow: 100, audit: 100 };
const everything = response(outcomes, {
  totalDuration: 404,
  verdict: verdict({ kind: 'deny', by: [idOf('guard')], reason: 'not on Sundays' }),
  changes: [{ path: 'tool_input.content', hookId: idOf('redact-secrets'), before: 'sk-1', after: '[REDACTED]' }],
});

const timelineOf = (answer: HookExecutionResponse, options = at80, title = 'BeforeTool write_file') =>
  renderTimeline(record(title, started, 300), answer, options);

test('one line a hook in plan order, its warnings below, the verdict last', () => {
  expect(timelineOf(everything)).toEqual([
    'BeforeTool write_file                     404 ms',
    '  ✓ stay-inside       █▌                   40 ms  no opinion',
    '  ✓ redact-secrets     ▐██                 60 ms  rewrote tool_input.content',
    '  – lint-command      skipped: matcher',
    '  ✗ guard                 █                20 ms  denied',
    '  ! crashy                ███▌             90 ms  exit code 1',
    '      ⚠ BeforeTool hook "crashy" failed with exit code 1:',
    '        file:///hooks/crashy.mjs:6',
    '        TypeError: no timings',
    '  ⏱ slow                  ████████████    302 ms  timed out after 300 ms',
    '      ⚠ BeforeTool hook "slow" did not end within 300 ms and was stopped.',
    '  – copy              skipped: duplicate of guard',
    '  … audit                 ▌                       runs asynchronously',
    '  ◌ late              not started',
    '      ⚠ BeforeTool hook "late" did not run: the event was cancelled.',
    '  → deny by guard: not on Sundays',
  ]);
});

test('below a hook that ran in another process, its engine and the version are named, with what a terminal interprets escaped', () => {
  const engine = { name: 'pol\u001bicy', version: '7' };
  const answer = response([outcome('remote', { engine }), outcome('other', { status: 'skipped', skipReason: 'matcher', engine })]);
  const lines = renderTimeline(record('BeforeTool write_file', { remote: 0 }, 300), answer, at80);
  expect(lines.filter((line) => line.includes('engine:'))).toEqual(['      engine: pol\\x1bicy, version 7']);
});

test('a guard that is left out looks like a toFailure, other hooks that are left out like ones that were skipped', () => {
  const warnings = [{ code: 'circuit_open' as const, message: 'it failed 3 times within 1000 ms.' }];
  const leftOut = { status: 'skipped', skipReason: 'circuit-open', warnings } as const;
  const guard = outcome('guard', { ...leftOut, failedClosed: true });
  const reason = 'it could not do its work';
  const answer = response([outcome('lint', leftOut), guard], { verdict: verdict({ kind: 'deny', by: [idOf('guard')], reason }) });
  expect(renderTimeline(createEventRecord('BeforeTool write_file'), answer, at80)).toEqual([
    'BeforeTool write_file',
    '  – lint              skipped: it failed too often',
    '      ⚠ it failed 3 times within 1000 ms.',
    '  ! guard             skipped: it failed too often, so it denies',
    '      ⚠ it failed 3 times within 1000 ms.',
    '  → deny by guard: it could not do its work',
  ]);
});

test('a hook that asks not to be shown is shown and marked: a timeline is for finding out', () => {
  const shown = record('BeforeTool write_file', { guard: 0, talkative: 0 });
  for (const [hookId, started] of [...shown.started]) shown.started.set(hookId, { ...started, isHidden: true });
  const said = 'cat is not needed here: a command reads a file by itself.';
  const answer = response([
    outcome('guard', { durationMs: 100 }),
    outcome('talkative', { durationMs: 50, output: { systemMessage: said } }),
  ]);
  expect(renderTimeline(shown, answer, at80).slice(1)).toEqual([
    '  ✓ guard             ████████████████    100 ms  no opinion · hidden',
    '  ✓ talkative         ████████             50 ms  hidden',
    '      said: "cat is not needed here: a command reads a file by itself."',
    '  → none: no hook decided',
  ]);
  const coloured = renderTimeline(shown, answer, { width: 80, paint: createPaint(true) });
  expect(coloured[1]).toContain('\x1b[2m · hidden\x1b[22m');
});

test('no line is wider than the terminal', () => {
  for (const width of [24, 30, 38, 60, 72, 80, 100, 120]) {
    for (const line of timelineOf(everything, { width, paint: plainPaint })) expect(countColumns(line)).toBeLessThanOrEqual(width);
  }
});

test('what does not fit next to the bar is below it, whole', () => {
  const talkative = outcome('stay-inside', {
    durationMs: 100,
    output: { systemMessage: 'cat is not needed here: a command reads a file by itself.' },
  });
  expect(timelineOf(response([talkative])).slice(1)).toEqual([
    '  ✓ stay-inside       ████████████████    100 ms',
    '      said: "cat is not needed here: a command reads a file by itself."',
    '  → none: no hook decided',
  ]);
});

test('a narrow terminal keeps the words and loses the bars', () => {
  expect(timelineOf(response(outcomes.slice(0, 2)), { width: 60, paint: plainPaint })).toEqual([
    'BeforeTool write_file      100 ms',
    '  ✓ stay-inside             40 ms  no opinion',
    '  ✓ redact-secrets          60 ms  no opinion',
    '  → none: no hook decided',
  ]);
});

test('a wide terminal has longer bars', () => {
  expect(timelineOf(response(outcomes.slice(0, 2)), { width: 120, paint: plainPaint })).toEqual([
    'BeforeTool write_file                             100 ms',
    '  ✓ stay-inside       █████████▌                   40 ms  no opinion',
    '  ✓ redact-secrets             ▐██████████████     60 ms  no opinion',
    '  → none: no hook decided',
  ]);
});

test('colours say what the marks say', () => {
  const lines = timelineOf(
    response([outcomes[3] as HookOutcome], { totalDuration: 200, verdict: verdict({ kind: 'deny', by: [idOf('guard')], reason: 'no' }) }),
    { width: 80, paint: createPaint(true) },
  );
  expect(lines).toEqual([
    '\x1b[1mBeforeTool write_file                 \x1b[22m\x1b[2m    200 ms\x1b[22m',
    '  \x1b[31m✗\x1b[39m guard             \x1b[31m        █▌      \x1b[39m  \x1b[2m   20 ms\x1b[22m  \x1b[31mdenied\x1b[39m',
    '  \x1b[2m→\x1b[22m \x1b[31mdeny\x1b[39m by guard: no',
  ]);
});

test('an event without hooks', () => {
  expect(renderTimeline(createEventRecord('SessionEnd exit'), response([], { totalDuration: 0 }), at80)).toEqual([
    'SessionEnd exit',
    '  → none: no hook ran',
  ]);
});

test('more than eight hooks that do not match are one line', () => {
  const many = Array.from({ length: 9 }, (_, index) => outcome(`other-${index}`, { status: 'skipped', skipReason: 'matcher' }));
  expect(timelineOf(response([...many, outcomes[0] as HookOutcome]))).toEqual([
    'BeforeTool write_file                     100 ms',
    '  ✓ stay-inside       ██████▌              40 ms  no opinion',
    '  – 9 hooks skipped: matcher',
    '  → none: no hook decided',
  ]);
  expect(timelineOf(response(many.slice(1)))).toHaveLength(10);
});

test('what a hook printed does not reach the terminal as it is', () => {
  const evil = '\x1b]0;owned\x07\u202e\nnext';
  const lines = renderTimeline(
    createEventRecord('BeforeTool write_file'),
    response([outcome(evil, { status: 'failed', warnings: [{ code: evil as never, message: evil }], skipReason: evil as never })], {
      verdict: verdict({ kind: 'deny', by: [evil], reason: evil, stop: true, stopReason: evil, stoppedBy: [evil] }),
    }),
    at80,
  );
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('two hooks of one name are distinguished by where they come from', () => {
  const ids = ['llxprt/project/BeforeTool/guard', 'llxprt/user/BeforeTool/guard'] as const;
  const made = createEventRecord('BeforeTool write_file');
  made.started.set(ids[0], { elapsedMs: 0, timeoutMs: 1000, toldAtMs: 0, isHidden: false });
  made.started.set(ids[1], { elapsedMs: 50, timeoutMs: 1000, toldAtMs: 0, isHidden: false });
  const guards = [
    outcome('guard', { hookId: ids[0], status: 'blocked', durationMs: 50, output: { decision: 'deny' } }),
    outcome('guard', { hookId: ids[1], source: 'user', status: 'blocked', durationMs: 50, output: { decision: 'deny' } }),
  ];
  const lines = renderTimeline(made, response(guards, { verdict: verdict({ kind: 'deny', by: [ids[1]], reason: 'no' }) }), at80);
  expect(lines).toEqual([
    'BeforeTool write_file                     100 ms',
    '  ✗ guard (project)   ████████             50 ms  denied',
    '  ✗ guard (user)              ████████     50 ms  denied',
    '  → deny by guard (user): no',
  ]);
});

test('a hook without a name is shown by its source and place', () => {
  const { name: _name, ...nameless } = outcome('0.1', { status: 'skipped', skipReason: 'matcher' });
  expect(timelineOf(response([nameless]))[1]).toBe('  – project/0.1       skipped: matcher');
});

test.each([
  ['"$CLAUDE_PROJECT_DIR"/.claude/hooks/format.sh', 'format.sh'],
  ['node $GEMINI_PROJECT_DIR/.gemini/hooks/redact.mjs --all', 'redact.mjs'],
  ['"$CLAUDE_PROJECT_DIR/.claude/hooks/guard.py"', 'guard.py'],
  ['./guard', 'guard'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell.
  ['${CLAUDE_PLUGIN_ROOT}/format.sh --quiet', 'format.sh'],
])('of a command without a name the script is shown: %s', (command, label) => {
  const { name: _name, ...nameless } = outcome('0.1', { status: 'skipped', skipReason: 'matcher', command });
  expect(timelineOf(response([nameless]))[1]).toBe(`  – ${label.padEnd(16)}  skipped: matcher`);
});

test.each(['npm test >&2 || exit 2', "jq -r '.tool_input' >> logs/audit.log", 'exit 2', '{ ./a; ./b; }', 'cat|./x'])(
  'a line of shell is not a label: %s',
  (command) => {
    const { name: _name, ...nameless } = outcome('0.1', { status: 'skipped', skipReason: 'matcher', command });
    expect(timelineOf(response([nameless]))[1]).toBe('  – project/0.1       skipped: matcher');
  },
);

test('two hooks that run one script are distinguished by their places', () => {
  const twins = ['0.0', '0.1'].map((last) => {
    const { name: _name, ...nameless } = outcome(last, { status: 'skipped', skipReason: 'matcher', command: './guard.sh' });
    return nameless;
  });
  const lines = timelineOf(response(twins));
  expect(lines[1]).toMatch(/^ {2}– guard… \(project\/0\.0\) +skipped: matcher$/);
  expect(lines[2]).toMatch(/^ {2}– guard… \(project\/0\.1\) +skipped: matcher$/);
});

test('one script in the settings of two formats keeps its name, and the format follows; a hook without a name begins with the format', () => {
  const of = (dialect: string, last: string, command: string) => {
    const hookId = `${dialect}/project/BeforeTool/${last}`;
    const { name: _name, ...nameless } = outcome(last, { hookId, dialect, status: 'skipped', skipReason: 'condition', command });
    return nameless;
  };
  const made = [
    of('llxprt', '0.0', './block-rm.sh'),
    of('claude-code', '0.0', 'bash "$X"/block-rm.sh'),
    of('claude-code', '0.1', 'exit 2'),
  ];
  expect(timelineOf(response(made)).slice(1, 4)).toEqual([
    expect.stringMatching(/^ {2}– block-rm\.sh \(llxprt\) +skipped/),
    expect.stringMatching(/^ {2}– block… \(claude-code\) +skipped/),
    expect.stringMatching(/^ {2}– claude-code\/project/),
  ]);
});

test('a request that was not carried out says why, and shows what had been answered', () => {
  const details = {
    outcomes: [
      outcomes[0],
      outcome('slow', {
        status: 'cancelled',
        durationMs: 60,
        warnings: [{ code: 'cancelled', message: 'BeforeTool hook "slow" was running when the event was cancelled.' }],
      }),
    ],
  };
  const failed: HookExecutionResponse = {
    correlationId: 'c1',
    success: false,
    error: { code: 'timeout', message: 'The request was not answered within 160 ms.', details },
  };
  expect(timelineOf(failed)).toEqual([
    'BeforeTool write_file                     160 ms',
    '  ✓ stay-inside       ████                 40 ms  no opinion',
    '  ◌ slow                        ██████     60 ms  cancelled',
    '      ⚠ BeforeTool hook "slow" was running when the event was cancelled.',
    '  → not carried out, timeout: The request was not answered within 160 ms.',
  ]);
});

test('a request that never came to a hook', () => {
  const error = { code: 'unsupported_event' as const, message: 'There is no event "BeforeTol". Did you mean "BeforeTool"?' };
  expect(renderTimeline(createEventRecord('BeforeTol'), { correlationId: 'c1', success: false, error }, at80)).toEqual([
    'BeforeTol',
    '  → not carried out, unsupported_event: There is no event "BeforeTol". Did you',
    '    mean "BeforeTool"?',
  ]);
});

const plain = { width: 80, paint: plainPaint, labelOf: (hookId: string) => hookId, hasRun: true };

const table: Record<string, [fields: Partial<Verdict>, lines: string[]]> = {
  'no hook decided': [{}, ['  → none: no hook decided']],
  'an allow without a reason': [{ kind: 'allow', by: ['a'] }, ['  → allow by a']],
  'a deny of two, with a reason each': [
    { kind: 'deny', by: ['a', 'b'], reason: 'not here\nnot now' },
    ['  → deny by a, b: not here · not now'],
  ],
  'an ask': [{ kind: 'ask', by: ['a'], reason: 'sure?' }, ['  → ask by a: sure?']],
  'a deny that may be tried again': [
    { kind: 'deny', by: ['a'], reason: 'busy', retryAfterMs: 1500 },
    ['  → deny by a: busy (may be tried again in 1.50 s)'],
  ],
  'a stop alone': [{ stop: true, stoppedBy: ['a'], stopReason: 'budget' }, ['  → stop by a: budget']],
  'a stop beside an allow': [
    { kind: 'allow', by: ['a'], stop: true, stoppedBy: ['b'], stopReason: 'budget' },
    ['  → allow by a', '  → stop by b: budget'],
  ],
  'a long reason goes on below': [
    { kind: 'deny', by: ['a'], reason: 'word '.repeat(20).trim() },
    [`  → deny by a: ${'word '.repeat(13).trim()}`, `    ${'word '.repeat(7).trim()}`],
  ],
};

test.each(Object.entries(table))('%s', (_, [fields, lines]) => {
  expect(renderVerdict(verdict(fields), plain)).toEqual(lines);
});

test('an endless reason ends', () => {
  expect(renderVerdict(verdict({ kind: 'deny', by: ['a'], reason: 'x'.repeat(1e6) }), plain).join('').length).toBeLessThan(400);
});

test('each kind has its colour, and the reason has none', () => {
  const line = (fields: Partial<Verdict>) => renderVerdict(verdict(fields), { ...plain, paint: createPaint(true) })[0];
  expect(line({ kind: 'deny', by: ['a'], reason: 'r' })).toBe('  \x1b[2m→\x1b[22m \x1b[31mdeny\x1b[39m by a: r');
  expect(line({ kind: 'ask', by: ['a'] })).toContain('\x1b[33mask\x1b[39m');
  expect(line({ kind: 'allow', by: ['a'] })).toContain('\x1b[32mallow\x1b[39m');
  expect(line({})).toBe('  \x1b[2m→ none: no hook decided\x1b[22m');
});
