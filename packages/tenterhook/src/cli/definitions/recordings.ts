import { type CommandDefinition, type OptionDefinition, repeatable, settingsOptions } from './command-definition.js';
import { natsAccessOptions, streamLimitOptions } from './nats-options.js';

const compareOptions: readonly OptionDefinition[] = [
  { flags: '--texts', description: 'compare texts for people too: messages, stderr' },
  { flags: '--progress', description: 'compare the steps of each hook too' },
  {
    flags: '--times <factor>',
    description: 'also list durations that differ by more than this factor, such as 2x; they are not differences',
  },
  { flags: '--json', description: 'print one JSON document, with state: same, differs or failed' },
];

export const record: CommandDefinition = {
  name: 'record',
  arguments: [['[command...]', 'the command that starts the agent, after --']],
  description: 'Record what an agent asks its hooks, to a file. The agent needs no change.',
  options: [
    { flags: '--to <file>', description: 'the file to create (default: hooks-<time>.bus.jsonl)' },
    { flags: '--append', description: 'continue the recording in the file' },
    { flags: '--unmasked', description: 'keep secrets as they are' },
    repeatable('--secret <NAME>', 'replace the value of this environment variable by a placeholder, which replay fills in again'),
    { flags: '--socket <path>', description: 'record the bus at this socket, until Ctrl-C' },
    {
      flags: '--attach <pid>',
      description: 'record the agent with this process id, until Ctrl-C; the agent must allow it (TENTERHOOK_INSPECT=1)',
    },
    { flags: '--nats <url>', description: 'record a namespace on this NATS server, until Ctrl-C; needs @tenterhook/transport-nats' },
    { flags: '--namespace <name>', description: 'the namespace to record (default: default)' },
    { flags: '--to-stream <name>', description: 'keep the recording in this stream of the NATS server; it is created if it is missing' },
    { flags: '--from-stream <name>', description: 'write what this stream of the NATS server contains to a file, and end' },
    { flags: '--progress', description: 'with --to-stream: record the steps of the hooks, too' },
    ...streamLimitOptions,
    ...natsAccessOptions,
  ],
  help: `
Examples:
  tenterhook record --to run.bus.jsonl -- node agent.js
  tenterhook record --socket /run/agent/bus
  tenterhook record --attach 4711
  tenterhook record --nats nats://10.0.0.5:4222 --to-stream hooks
  tenterhook record --nats nats://10.0.0.5:4222 --from-stream hooks --to run.bus.jsonl

Exit status:
  that of the command; with --socket, --attach and --nats:
  0    the recording is complete
  1    it could not be made, for example because the file exists
  64   usage error
  70   a bug in tenterhook`,
  run: async ([words], flags, context) => (await import('../commands/record.js')).record(words, flags, context),
};

export const diff: CommandDefinition = {
  name: 'diff',
  arguments: [
    ['<recording>', 'what was recorded before'],
    ['<other>', 'what is compared with it'],
  ],
  description: 'Compare two recordings of the bus: verdicts, deciders, hooks and rewrites. Ids, times and texts for people may differ.',
  options: compareOptions,
  help: `
Exit status:
  0    the recordings are the same
  1    they differ, or one of them cannot be read
  64   usage error
  70   a bug in tenterhook`,
  run: async ([before, after], flags, context) => (await import('../commands/diff.js')).diff(before, after, flags, context),
};

export const replay: CommandDefinition = {
  name: 'replay',
  arguments: [['<recording>', 'the recording whose requests are sent']],
  description:
    'Send the recorded requests to the hooks of the settings, and compare the answers. The hooks really run, with everything that they do.',
  options: [
    ...settingsOptions,
    { flags: '--filter <name>', description: 'send only requests of this event, or that ran this hook' },
    {
      flags: '--pace <pace>',
      description: 'keep the recorded pauses (recorded), or a multiple of them, such as 0.5x (default: no pauses)',
    },
    repeatable('--secret <NAME>', 'fill in this environment variable for its placeholder'),
    { flags: '--dry-run', description: 'compare only which hooks would run; runs no hook' },
    { flags: '--update', description: 'replace the recording by the new answers, in the minimal form', conflicts: ['dryRun', 'filter'] },
    ...compareOptions,
  ],
  help: `
Examples:
  tenterhook replay run.bus.jsonl --dry-run
  tenterhook replay run.bus.jsonl --filter guard

Exit status:
  0    all answers are the same, or the recording was updated
  1    an answer differs, or the recording cannot be used
  64   usage error
  70   a bug in tenterhook
  128 + n  the command was ended by signal n`,
  run: async ([file], flags, context) => (await import('../commands/replay.js')).replay(file, flags, context),
};

export const report: CommandDefinition = {
  name: 'report',
  arguments: [['<recording...>', 'recordings whose figures are added up']],
  description: 'Show what each hook costs and does: runs, times, share of the waiting, decisions, failures.',
  options: [
    { flags: '--by <what>', description: 'a row for each hook, event or session', choices: ['hook', 'event', 'session'], default: 'hook' },
    { flags: '--sort <figure>', description: 'order of the rows', choices: ['p95', 'total', 'failures'], default: 'total' },
    { flags: '--json', description: 'print one JSON document', conflicts: ['html', 'svg'] },
    { flags: '--html <file>', description: 'write a page without scripts to this file', conflicts: ['svg'] },
    { flags: '--svg <file>', description: 'write a picture of the times to this file' },
  ],
  run: async ([files], flags, context) => (await import('../commands/report.js')).report(files, flags, context),
};
