import fc from 'fast-check';

/**
 * Generates settings as people write and mistype them: invalid parts are next to valid ones. There are only few commands and names, so that
 * some are equal.
 */

const rubbish = fc.constantFrom<unknown>(null, 5, 'x', [], {}, true, [1], { command: 5 }, '');
const rarely = <Value>(value: fc.Arbitrary<Value>) => fc.oneof({ weight: 9, arbitrary: value }, { weight: 1, arbitrary: rubbish });

const hook = rarely(
  fc.record(
    {
      command: rarely(fc.constantFrom('a.sh', 'b.sh', 'c.sh')),
      type: fc.constantFrom('command', 'command', 'Command', 'plugin'),
      name: rarely(fc.constantFrom('guard', 'log', 'a/b')),
      timeout: rarely(fc.constantFrom(1, 500, 90_000)),
      onError: rarely(fc.constantFrom('continue', 'block')),
      env: rarely(fc.record({ A: fc.constantFrom('1', '2'), B: fc.constant('x') }, { requiredKeys: [] })),
      Timeout: fc.constant(5),
    },
    { requiredKeys: [] },
  ),
);

// Globs, names that are searched for, patterns of several kinds, and three invalid ones. Patterns that take long to compile are less
// frequent.
const matcher = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', '*', 'write_*', '*_file', 'start*|read_*') },
  { weight: 1, arbitrary: fc.constantFrom('write|read', 'write', '^read_file$', 'startup', 'w.*e', '(?=rm)', '[', '(a)\\1') },
);
const group = rarely(
  fc.record(
    { hooks: rarely(fc.array(hook, { maxLength: 3 })), matcher: rarely(matcher), sequential: rarely(fc.boolean()) },
    { requiredKeys: ['hooks'] },
  ),
);
const groups = rarely(fc.array(group, { maxLength: 2 }));

const eventNames = fc.constantFrom('BeforeTool', 'BeforeTool', 'BeforeTool', 'AfterTool', 'SessionStart', 'BeforeAgent', 'beforetool');
const events = fc.dictionary(eventNames, groups, { maxKeys: 2 });

const settings = fc.record(
  {
    hooks: rarely(events),
    hooksConfig: rarely(fc.record({ disabled: rarely(fc.uniqueArray(fc.constantFrom('guard', 'a.sh', 'unknown'))) })),
    tools: rarely(fc.record({ enableHooks: rarely(fc.constantFrom(true, true, false)) })),
    // A place where hooks are not looked for.
    AfterTool: rarely(fc.constant([{ command: 'lost.sh' }])),
  },
  { requiredKeys: ['hooks'] },
);

/** The sources in plan order. */
const sources = ['project', 'user', 'system', 'settings', 'extension:x'];
const someSources = fc.oneof(
  fc.subarray(sources, { minLength: 1, maxLength: 2 }),
  fc.constantFrom(...sources.slice(0, -1)).map((source) => [source, 'extension:x']),
);

/** Generates one document of each of some sources. */
export const anySettings = someSources.chain((chosen) =>
  fc.tuple(...chosen.map((source) => settings.map((value): { source: string; value: unknown } => ({ source, value })))),
);
