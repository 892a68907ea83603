import { type CommandDefinition, settingsOptions, toolOptions } from './command-definition.js';

export const fire: CommandDefinition = {
  name: 'fire',
  arguments: [['[EventName]', 'event to fire, for example BeforeTool']],
  description: 'Fire one event and show what its hooks did and decided.',
  options: [
    ...settingsOptions,
    { flags: '-i, --input <json|@file|->', description: 'event fields as JSON, from a file, or from standard input' },
    { flags: '--json', description: 'print the response as one JSON document' },
    { flags: '--exit-code', description: 'exit with 2 if the hooks deny or stop, with 3 if they ask' },
    { flags: '-v, --verbose', description: 'show what each hook read, printed, added and changed, and where it is configured' },
  ],
  help: `
Example:
  tenterhook fire BeforeTool --input '{"tool_name":"write_file","tool_input":{"path":"a.txt"}}'

Exit status:
  0    the event was fired
  1    it could not be fired (settings, event or input)
  2    with --exit-code: the hooks deny or stop
  3    with --exit-code: the hooks ask
  64   usage error
  70   a bug in tenterhook
  128 + n  the command was ended by signal n`,
  run: async ([eventName], flags, context) => (await import('../commands/fire.js')).fire(eventName, flags, context),
};

export const explain: CommandDefinition = {
  name: 'explain',
  arguments: [['[EventName]', 'event to explain, for example BeforeTool (default: all events with hooks)']],
  description: 'Explain why each hook of an event would run or would not run. Runs no hook.',
  options: [
    ...settingsOptions,
    ...toolOptions,
    {
      flags: '-i, --input <json|@file|->',
      description: 'event fields as JSON, from a file, or from standard input; only the fields that matchers read are needed',
    },
    { flags: '--json', description: 'print one JSON document' },
  ],
  help: `
Examples:
  tenterhook explain BeforeTool --input '{"tool_name":"write_file"}'
  tenterhook explain SessionStart --input '{"source":"startup"}'
  tenterhook explain
  tenterhook explain BeforeTool --tool read_file --tool write_file

Exit status:
  0    the event was explained
  1    it could not be explained (settings, event or input)
  64   usage error
  70   a bug in tenterhook`,
  run: async ([eventName], flags, context) => (await import('../commands/explain.js')).explain(eventName, flags, context),
};

export const testCases: CommandDefinition = {
  name: 'test',
  arguments: [['[path...]', 'test files, or directories that are searched for them (default: the current directory)']],
  description:
    'Run the cases of *.hook-test.yaml, *.hook-test.yml and *.hook-test.json files: fire each event, and compare the result with what is expected.',
  options: [
    ...settingsOptions,
    { flags: '-t, --filter <text>', description: 'run only cases whose name contains the text; upper and lower case differ' },
    {
      flags: '-w, --watch',
      description: 'run the cases again when a test file, a file in its directory, or a named settings file changes',
    },
    { flags: '--junit <file>', description: 'also write the results to this file, as JUnit XML' },
    { flags: '--json', description: 'print one JSON document' },
  ],
  help: `
Example of a test file, guard.hook-test.yaml:
  cases:
    - name: refuses to delete everything
      event: BeforeTool
      input: { tool_name: run_shell_command, tool_input: { command: rm -rf / } }
      expect: { verdict: deny, by: guard, reason: rm }
    - name: has no opinion about ls
      event: BeforeTool
      input: { tool_name: run_shell_command, tool_input: { command: ls } }
      expect: { verdict: none, hooks: { guard: succeeded } }

Exit status:
  0    all cases passed
  1    a case failed, or a file cannot be used
  64   usage error
  70   a bug in tenterhook
  128 + n  the command was ended by signal n`,
  run: async ([paths], flags, context) => (await import('../commands/test.js')).test(paths, flags, context),
};

export const events: CommandDefinition = {
  name: 'events',
  arguments: [['[Event]', 'the event to describe, for example BeforeTool']],
  description: 'List the events. Of one event, show its fields, what hooks can do, and a sample to fire.',
  options: [
    { flags: '-d, --dialect <name>', description: 'the events of this dialect, with a sample in its format' },
    { flags: '--json', description: 'print one JSON document' },
  ],
  help: `
Examples:
  tenterhook events
  tenterhook events BeforeTool
  tenterhook events PostToolUse --dialect claude-code`,
  run: async ([event], flags, context) => (await import('../commands/events.js')).events(event, flags, context),
};
