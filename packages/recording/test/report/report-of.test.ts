import type { HookOutcome } from '@tenterhook/protocol';
import fc from 'fast-check';
import { createHeader } from '../../src/format/header.js';
import { formatReport, type Recording, recordBus, reportHtml, reportOf, reportSvg } from '../../src/index.js';
import { parseRecording } from '../../src/read/read-recording.js';
import { fireTool, outcomeOf, resultOf, servedBus } from '../recording-rig.js';

interface Event {
  readonly stages: readonly (readonly HookOutcome[])[];
  readonly rewriters: readonly string[];
}

/** A recording of these events, as a file would have it. */
function recordingOf(events: readonly Event[]): Recording {
  const lines = events.flatMap(({ stages, rewriters }, index) => {
    const correlationId = `a-${index}`;
    const outcomes = stages.flat();
    const errors = outcomes.filter(({ status }) => status === 'failed' || status === 'timed-out');
    const output = resultOf(outcomes, {
      changes: rewriters.map((hookId) => ({ path: 'tool_input', hookId, before: 1, after: 2 })),
      errors: errors.map(({ hookId, status }) => ({
        code: status === 'failed' ? ('exit_code' as const) : ('timeout' as const),
        message: 'm',
        hookId,
      })),
    });
    return [
      { type: 'HOOK_EXECUTION_REQUEST', payload: { correlationId, eventName: 'BeforeTool', input: { session_id: `s${index % 2}` } } },
      {
        type: 'HOOK_EXECUTION_PROGRESS',
        payload: { correlationId, kind: 'planned', stages: stages.map((stage) => stage.map(({ hookId }) => ({ hookId }))) },
      },
      { type: 'HOOK_EXECUTION_RESPONSE', payload: { correlationId, success: true, output } },
    ];
  });
  return parseRecording(
    createHeader({ form: 'full', masked: true, placeholders: [] }),
    lines.map((line) => JSON.stringify(line)),
  );
}

const outcome = fc
  .record({
    hook: fc.constantFrom('a', 'b', 'c', 'd'),
    status: fc.constantFrom('succeeded', 'blocked', 'failed', 'timed-out', 'skipped', 'detached' as const),
    durationMs: fc.nat({ max: 5_000 }),
    decision: fc.option(fc.constantFrom('allow', 'ask', 'deny' as const), { nil: undefined }),
  })
  .map(({ hook, status, durationMs, decision }) =>
    outcomeOf(hook, {
      status: status as HookOutcome['status'],
      durationMs,
      ...(status === 'skipped' ? { skipReason: 'matcher' as const } : {}),
      ...(decision === undefined ? {} : { output: { decision: decision as 'allow' } }),
    }),
  );
const stages = fc
  .uniqueArray(outcome, { maxLength: 4, selector: ({ hookId }) => hookId })
  .chain((outcomes) => fc.nat({ max: outcomes.length }).map((at) => [outcomes.slice(0, at), outcomes.slice(at)]));
const event = fc.record({ stages, rewriters: fc.subarray(['a', 'b', 'c']) });

test('record-replay case 39: the figures are those of a second implementation, and p95 is absent under 20 runs', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), fc.array(event, { maxLength: 5 }), (one, other) => {
      const events = [...one, ...other];
      const report = reportOf([recordingOf(one), recordingOf(other)]);
      const outcomes = events.flatMap(({ stages: all }) => all.flat());
      const ran = outcomes.filter(({ status }) => status !== 'skipped');
      const waits = events.flatMap(({ stages: all }) =>
        all.map(
          (stage) =>
            stage.filter(({ status }) => status !== 'skipped' && status !== 'detached').sort((a, b) => b.durationMs - a.durationMs)[0],
        ),
      );
      const total = waits.reduce((sum, slowest) => sum + (slowest?.durationMs ?? 0), 0);
      expect({ events: report.events, runs: report.runs, waitedMs: report.waitedMs }).toEqual({
        events: events.length,
        runs: ran.length,
        waitedMs: total,
      });
      expect(report.rows.map(({ key }) => key).sort()).toEqual([...new Set(outcomes.map(({ hookId }) => hookId))].sort());
      for (const row of report.rows) {
        const own = ran.filter(({ hookId }) => hookId === row.key);
        const all = outcomes.filter(({ hookId }) => hookId === row.key);
        const times = own.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
        // The nearest rank, counted: the first duration with at least this share of the others at or below it.
        const rank = (share: number) => times.find((ms) => times.filter((each) => each <= ms).length >= share * times.length);
        const said = (kind: string) =>
          all.filter(({ status, output }) => (status === 'blocked' ? 'deny' : output?.decision) === kind).length;
        const failed = own.filter(({ status }) => status === 'failed').length;
        const late = own.filter(({ status }) => status === 'timed-out').length;
        expect(row).toMatchObject({
          runs: own.length,
          p50Ms: rank(0.5),
          p95Ms: times.length < 20 ? undefined : rank(0.95),
          maxMs: times.at(-1),
          deny: said('deny'),
          ask: said('ask'),
          allow: said('allow'),
          timeouts: late,
          failures: { ...(failed === 0 ? {} : { exit_code: failed }), ...(late === 0 ? {} : { timeout: late }) },
          skips: all.length === own.length ? {} : { matcher: all.length - own.length },
          rewrites: events.filter(
            ({ rewriters, stages: both }) => rewriters.includes(row.key) && both.flat().some(({ hookId }) => hookId === row.key),
          ).length,
        });
      }
      const shares = report.rows.reduce((sum, { waitedShare }) => sum + waitedShare, 0);
      expect(Math.round(shares * 1000)).toBe(total === 0 ? 0 : 1000);
    }),
    { numRuns: 1_000 },
  );
});

const named = (hookId: string, fields: Partial<HookOutcome> = {}) =>
  outcomeOf(hookId, { name: hookId.split('/').at(-1) as string, ...fields });
const sample = recordingOf([
  { stages: [[named('x/slow', { durationMs: 500, status: 'timed-out' }), named('x/quick', { durationMs: 20 })]], rewriters: ['x/quick'] },
  {
    stages: [
      [named('x/quick', { durationMs: 1_480, output: { decision: 'deny' } })],
      [named('x/slow', { status: 'skipped', skipReason: 'circuit-open' })],
    ],
    rewriters: [],
  },
]);

test('a report as a table', () => {
  expect(
    formatReport(reportOf([sample]), 'run.bus.jsonl'),
  ).toBe(`2 events, 3 runs of 2 hooks, 1.98 s waited for hooks                                       run.bus.jsonl
  hook   event       runs     p50  p95     max  waited  said               failed
  quick  BeforeTool     2   20 ms    –  1.48 s    75 %  deny 1, rewrote 1  –
  slow   BeforeTool     1  500 ms    –  500 ms    25 %  –                  timed out 1, skipped circuit-open 1
`);
  expect(reportOf([sample], { by: 'session' }).rows.map(({ key, runs, p50Ms }) => [key, runs, p50Ms])).toEqual([
    ['s1', 1, 1480],
    ['s0', 2, 500],
  ]);
  expect(reportOf([sample], { by: 'event', sort: 'failures' }).rows).toMatchObject([
    { key: 'BeforeTool', runs: 3, p50Ms: 500, maxMs: 1480, deny: 1 },
  ]);
  expect(() => reportOf([sample], { by: 'tool' as never })).toThrow('by must be "hook", "event" or "session"');
});

test('if handlers of other processes ran, a column names their engines, with the versions that answered', () => {
  const ofVersion = (version: string) => named('x/remote', { engine: { name: 'policy', version } });
  const skipped = named('x/other', { status: 'skipped', skipReason: 'matcher', engine: { name: 'unasked' } });
  const recording = recordingOf(['8', '7', '8'].map((version) => ({ stages: [[ofVersion(version), skipped]], rewriters: [] })));
  const report = reportOf([recording]);
  expect(report.rows.map(({ name, engines }) => [name, engines])).toEqual([
    ['remote', ['policy 7', 'policy 8']],
    ['other', []],
  ]);
  expect(formatReport(report)).toContain('  hook    event       engine              runs');
  expect(formatReport(report)).toContain('  remote  BeforeTool  policy 7, policy 8     3');
  expect(reportHtml(report)).toContain('<th scope="col">engine</th>');
  expect(reportHtml(reportOf([sample]))).not.toContain('engine');
});

test('a minimal recording has no times, which the report states', () => {
  const { header, ...rest } = sample;
  const minimal = { ...rest, header: { ...header, form: 'minimal' as const } };
  expect(formatReport(reportOf([minimal]))).toContain('3 runs of 2 hooks, without times: the minimal form has none\n');
});

test('HTML and SVG have every text escaped, no script and no request', () => {
  const evil = '</style><script>alert(1)</script><img src=x onerror="a">\u202e\u0000&\'';
  const report = reportOf([recordingOf([{ stages: [[outcomeOf(evil, { name: evil })]], rewriters: [] }])]);
  for (const text of [reportHtml(report, evil), reportSvg(report)]) {
    expect(text).not.toMatch(/<script|<img|onerror="|[\u202e\u0000]/);
    expect(text).toContain('&lt;script&gt;');
    expect(text.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import/);
  }
  expect(reportHtml(report)).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
  );
});

test('the time of a hook that ends late is not waited for', async () => {
  const bus = servedBus(() => resultOf([outcomeOf('h', { status: 'detached', durationMs: 3 })]));
  const recorder = recordBus(bus);
  const { correlationId } = await fireTool(bus);
  const end = { kind: 'hook-finished' as const, eventName: 'BeforeTool', elapsedMs: 1, hookId: 'h', late: true as const };
  bus.publish({ type: 'HOOK_EXECUTION_PROGRESS', payload: { correlationId, ...end, outcome: outcomeOf('h', { durationMs: 900 }) } });
  const report = reportOf([await recorder.recording()]);
  expect(report).toMatchObject({ waitedMs: 0, rows: [{ key: 'h', runs: 1, maxMs: 900, waitedMs: 0 }] });
  expect(reportOf([await recorder.recording()], { by: 'session' }).rows[0]?.key).toBe('s1');
});
