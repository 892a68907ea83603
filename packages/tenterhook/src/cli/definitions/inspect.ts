import { type CommandDefinition, repeatable } from './command-definition.js';

export const inspect: CommandDefinition = {
  name: 'inspect',
  arguments: [['[command...]', 'the command that starts the agent, after --']],
  description: 'Show in the browser what hooks do, while an agent runs or from a recording. Without an argument: the agent that runs.',
  options: [
    { flags: '--attach <pid>', description: 'show the agent with this process id; the agent must allow it (TENTERHOOK_INSPECT=1)' },
    { flags: '--socket <path>', description: 'show the bus at this socket' },
    repeatable('--recording <file>', 'show this recording'),
    { flags: '--port <number>', description: 'the port on 127.0.0.1 (default: one that is free)' },
    { flags: '--no-open', description: 'do not start a browser; prints the address of a file that leads to the page' },
    { flags: '--unmasked', description: 'show secrets as they are' },
    { flags: '--allow-run', description: 'let the page run an event with the hooks of the project, after a question' },
    { flags: '--list', description: 'list the agents that run and allow it, and end' },
    { flags: '--json', description: 'with --list: print one JSON document' },
  ],
  help: `
Examples:
  tenterhook inspect
  tenterhook inspect -- npm start
  tenterhook inspect --recording run.bus.jsonl

Exit status:
  that of the command; without one:
  0    the inspector was ended by Ctrl-C
  1    there is nothing to show, for example because no agent runs
  64   usage error
  70   a bug in tenterhook`,
  run: async ([words], flags, context) => (await import('../commands/inspect.js')).inspect(words, flags, context),
};
