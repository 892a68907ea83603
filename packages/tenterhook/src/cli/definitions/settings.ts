import { type CommandDefinition, settingsOption, settingsOptions, toolOptions } from './command-definition.js';

export const list: CommandDefinition = {
  name: 'list',
  arguments: [['[EventName]', 'list only the hooks of this event']],
  description: 'List all configured hooks, and all settings files that were searched for.',
  options: [...settingsOptions, { flags: '--json', description: 'print one JSON document' }],
  run: async ([eventName], flags, context) => (await import('../commands/list.js')).list(eventName, flags, context),
};

export const validate: CommandDefinition = {
  name: 'validate',
  arguments: [['[file...]', 'settings files to check, as with --settings']],
  description: 'Check the settings and list every problem with file, line and remedy. Exits with 1 if a part of the settings is ignored.',
  options: [
    ...settingsOptions,
    ...toolOptions,
    { flags: '--json', description: 'print one JSON document' },
    { flags: '--strict', description: 'exit with 1 for warnings too' },
    { flags: '-q, --quiet', description: 'print only errors and warnings' },
  ],
  help: `
Examples:
  tenterhook validate
  tenterhook validate --dialect eca
  tenterhook validate hooks.json --tool read_file --tool git__commit`,
  run: async ([files], flags, context) => {
    const { validate } = await import('../commands/validate.js');
    const named = [...(flags.settings ?? []), ...files];
    return validate({ ...flags, ...(named.length === 0 ? {} : { settings: named }) }, context);
  },
};

export const migrate: CommandDefinition = {
  name: 'migrate',
  description:
    'Show how the hooks of one agent convert to the settings of another. With --write, add them there. Existing entries stay unchanged.',
  options: [
    { flags: '--from <dialect>', description: 'the dialect whose hooks are converted (required)' },
    { flags: '--to <dialect>', description: 'the dialect whose settings they are added to (required)' },
    settingsOption,
    { flags: '--cwd <dir>', description: 'project directory' },
    { flags: '--write', description: 'add the converted hooks to the settings of the same level (project or user)' },
    { flags: '--json', description: 'print one JSON document' },
  ],
  help: `
Examples:
  tenterhook migrate --from claude-code --to llxprt
  tenterhook migrate --from claude-code --to llxprt --write

Exit status:
  0    shown or written, even if some hooks cannot be converted
  1    a file cannot be read or written
  64   usage error
  70   a bug in tenterhook`,
  run: async (_words, flags, context) => (await import('../commands/migrate.js')).migrate(flags, context),
};

export const init: CommandDefinition = {
  name: 'init',
  description: 'Write first settings for a project, with a guard that denies commands which delete folders. Changes no file that exists.',
  options: [
    { flags: '-d, --dialect <name>', description: 'the agent whose settings to write (default: llxprt)' },
    { flags: '--cwd <dir>', description: 'project directory (default: the current directory)' },
    { flags: '--json', description: 'print one JSON document' },
  ],
  run: async (_words, flags, context) => (await import('../commands/init.js')).init(flags, context),
};

export const schema: CommandDefinition = {
  name: 'schema',
  arguments: [['[dialect]', 'the dialect of the settings, for example eca (default: llxprt)']],
  description: 'Print the JSON Schema of the settings files, for editors and validators.',
  options: [
    { flags: '-d, --dialect <name>', description: 'the same as the argument' },
    { flags: '--messages', description: 'print the schema of the messages on the bus instead', conflicts: ['dialect'] },
  ],
  help: `
Examples:
  tenterhook schema > llxprt-settings.schema.json
  tenterhook schema eca > eca-settings.schema.json
  tenterhook schema --messages`,
  run: async ([named], flags, context) => (await import('../commands/schema.js')).schema(named, flags, context),
};

export const completion: CommandDefinition = {
  name: 'completion',
  description: 'Print a script that completes commands, options and events in bash.',
  help: `
Example, in ~/.bashrc:
  source <(tenterhook completion)`,
  run: async (_words, _flags, context, program) => (await import('../commands/completion.js')).completion(program, context),
};
