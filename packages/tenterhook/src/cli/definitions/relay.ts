import { relayPolicyWords } from '@tenterhook/protocol/internal';
import { type CommandDefinition, settingsOption } from './command-definition.js';

export const relay: CommandDefinition = {
  name: 'relay',
  arguments: [
    ['<action>', 'install, uninstall, status, doctor, trust, run, serve, stop or restart'],
    ['[dir]', 'trust: the directory of the project (default: the current directory)'],
  ],
  description:
    'Make Tenterhook the hook of an agent that does not embed it. install writes its entries into the settings of the agent, which then starts a small program for each event. This program asks a daemon, which the first event starts.',
  options: [
    { flags: '--agent <name>', description: 'the agent, for example claude-code' },
    { flags: '--event <name>', description: 'run: the event, as the agent names it' },
    { ...settingsOption, description: 'run: ask the hooks of this settings file, and no others (repeatable)' },
    { flags: '-d, --dialect <name>', description: 'run: format of the settings; without --settings, look only for files of this format' },
    {
      flags: '--cwd <dir>',
      description:
        'project directory (default: run: that of the agent; otherwise the nearest folder with .git above the current directory)',
    },
    {
      flags: '--budget <seconds>',
      description:
        'run: seconds after which the answer is given without the hooks that still run (default: 63, or less if the agent waits less)',
    },
    {
      flags: '--on-failure <policy>',
      description: 'what happens if the hooks cannot be asked',
      choices: relayPolicyWords.onFailure,
      isStrictest: true,
    },
    {
      flags: '--ask <policy>',
      description: 'whether an ask is passed on where the agent asks only sometimes',
      choices: relayPolicyWords.ask,
      isStrictest: true,
    },
    {
      flags: '--on-loss <policy>',
      description: 'what happens if the agent cannot carry out a rewrite',
      choices: relayPolicyWords.onLoss,
      isStrictest: true,
    },
    { flags: '--closed', description: 'run: the same as --on-failure closed' },
    { flags: '--project', description: 'run: the entry is in the settings of the scope project or local' },
    { flags: '--without-daemon <reason>', description: 'run: why the daemon does not answer, for the log and for the user' },
    { flags: '--scope <scope>', description: 'install, uninstall: whose settings to edit', choices: ['user', 'project', 'local'] },
    { flags: '--events <names>', description: 'install: the events, separated by commas, or all, or guards: those that your guards have' },
    { flags: '--command <command>', description: 'install: the command to write (default: a program in your home directory)' },
    { flags: '--dry-run', description: 'install, uninstall: show the changes, write nothing' },
    { flags: '--trust', description: 'install: also accept the entries as the agent would ask you to (Codex)' },
    { flags: '--ci', description: 'doctor: also list what is different if an agent runs without a person' },
    { flags: '--idle <seconds>', description: 'serve: seconds without an event after which the daemon ends (default: 1800, with CI 60)' },
    { flags: '--json', description: 'status, doctor: print one JSON document' },
  ],
  help: `
Examples:
  tenterhook relay install --agent claude-code --dry-run
  tenterhook relay install --agent claude-code
  tenterhook relay status
  tenterhook relay doctor
  tenterhook relay trust ~/project
  tenterhook relay uninstall --agent claude-code

Exit status of run: that of the agent's format, or 64. Of the others:
  0    done
  1    a file cannot be read or edited; doctor: something is wrong
  64   usage error
  70   a bug in tenterhook`,
  run: async ([action, directory], flags, context) => (await import('../commands/relay.js')).relay(action, directory, flags, context),
};
