import type { HookEvent, HookEventName, HookInput } from '@tenterhook/protocol';
import { formatNamed } from '../../../test/support/formats.js';
import { context, dialectNamed, documentOf, migrated, pairs, portablesOf, type TestDialect } from './portables.js';

const own = [
  'run_shell_command',
  'read_file',
  'read_many_files',
  'write_file',
  'replace',
  'glob',
  'grep_search',
  'list_directory',
  'web_fetch',
];
const ofServers = [
  ['gh', 'search'],
  ['gh', 'get_issue'],
  ['docs', 'search'],
  ['fs', 'write_file'],
] as const;

function eventOf(eventName: HookEventName, fields: Record<string, unknown>): HookEvent {
  const base = { session_id: 's', transcript_path: '', cwd: '/srv/app', hook_event_name: eventName, timestamp: '2026-01-01T00:00:00.000Z' };
  return { eventName, projectDir: '/srv/app', input: { ...base, ...fields } as unknown as HookInput };
}

const toolCalls = [
  ...own.map((name) => ({ tool_name: name, tool_input: {} })),
  ...ofServers.map(([server, tool]) => ({
    tool_name: `mcp_${server}_${tool}`,
    tool_input: {},
    mcp_context: { server_name: server, tool_name: tool },
  })),
];
const events = [
  ...toolCalls.map((fields) => eventOf('BeforeTool', fields)),
  ...['startup', 'resume', 'clear', 'compress', 'fork'].map((source) => eventOf('SessionStart', { source })),
  ...['exit', 'clear', 'resume', 'logout', 'prompt_input_exit', 'other'].map((reason) => eventOf('SessionEnd', { reason })),
  ...['manual', 'auto'].map((trigger) => eventOf('PreCompress', { trigger })),
];

const eventNames: readonly HookEventName[] = ['BeforeTool', 'SessionStart', 'SessionEnd', 'PreCompress'];

function settingsWith(dialect: TestDialect, eventName: HookEventName, matcher: string): object {
  const event = Object.entries(dialect.events ?? {}).find(([, canonical]) => canonical === eventName)?.[0] ?? eventName;
  return formatNamed(dialect.name).settings([{ command: 'x', event, matcher }]);
}

/** Returns the calls for which at least one hook of these settings runs. */
function runsFor(dialect: TestDialect, settings: object): string[] {
  const { hooks } = dialect.parse(documentOf(settings), context);
  const runs = (event: HookEvent) =>
    hooks.some((hook) => hook.skip === undefined && hook.eventName === event.eventName && dialect.select(hook, event).run);
  return events
    .filter(runs)
    .map(({ eventName, input }) => `${eventName} ${input['tool_name'] ?? input['source'] ?? input['reason'] ?? input['trigger']}`);
}

test.each(pairs)(
  '%s to %s: a matcher that loses nothing is for the same calls, and one that does for no fewer of the known tools',
  (...names) => {
    const [from, to] = names.map(dialectNamed) as [TestDialect, TestDialect];
    let lossless = 0;
    for (const eventName of eventNames) {
      for (const matcher of formatNamed(from.name).migration.matchers) {
        const settings = settingsWith(from, eventName, matcher);
        const { value, placed } = migrated(from, to, settings);
        const [first] = placed;
        if (first === undefined || 'cannot' in first) continue;
        const losses = [...portablesOf(from, settings).hooks.flatMap((hook) => hook.losses), ...first.losses];
        const [before, after] = [runsFor(from, settings), runsFor(to, value)];
        const isLossless = losses.every(({ field }) => field !== 'matcher' && field !== 'event');
        if (isLossless) lossless += 1;
        const expected = isLossless ? before : before.filter((call) => own.some((name) => call.endsWith(` ${name}`)));
        expect({ eventName, matcher, value, runs: isLossless ? after : after.filter((call) => expected.includes(call)) }).toEqual({
          eventName,
          matcher,
          value,
          runs: expected,
        });
      }
    }
    expect(lossless).toBeGreaterThan(2);
  },
);
