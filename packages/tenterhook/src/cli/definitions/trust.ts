import { type CommandDefinition, repeatable } from './command-definition.js';

export const trust: CommandDefinition = {
  name: 'trust',
  arguments: [['[hook]', 'the id or the name of one hook (default: all hooks of the project)']],
  description: 'Show what the hooks of this project would run, and ask which of them may run. Runs no hook.',
  options: [
    { flags: '--show', description: 'show the hooks and the decisions about them; asks nothing' },
    { flags: '--diff', description: 'show what changed since a hook was trusted' },
    { flags: '--revoke', description: 'remove the decision about a hook; with --all or --project <dir> all decisions of a project' },
    { flags: '--all', description: 'with --revoke: all decisions about this project' },
    {
      flags: '--project <dir>',
      description: 'with --revoke: all decisions about the project in this directory, even if the directory no longer exists',
    },
    { flags: '--pins', description: 'print the pins of the hooks as JSON, for --trust-pins and for the policy of an administrator' },
    {
      flags: '--allow-owner <uid>',
      description: 'accept files of the project that belong to this user; with --revoke, no longer accept them',
    },
    { flags: '-d, --dialect <name>', description: 'only the hooks of this format' },
    { flags: '--cwd <dir>', description: 'project directory (default: the current directory)' },
    repeatable('--extension <dir>', 'also the hooks of the extension or plugin in this directory'),
    { flags: '--json', description: 'print one JSON document; implies --show' },
    { flags: '--exit-code', description: 'exit with 2 if a hook is new, changed or refused' },
  ],
  help: `
Examples:
  tenterhook trust
  tenterhook trust --show
  tenterhook trust --diff guard
  tenterhook trust --revoke claude-code/project/BeforeTool/0.0
  tenterhook trust --pins > ~/pins.json

Exit status:
  0    done
  1    no terminal, started by an agent, or the decision cannot be stored
  2    with --exit-code: a hook is new, changed or refused
  64   usage error
  70   a bug in tenterhook`,
  run: async ([hook], flags, context) => (await import('../commands/trust.js')).trust(hook, flags, context),
};
