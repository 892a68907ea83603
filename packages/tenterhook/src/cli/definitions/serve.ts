import { type CommandDefinition, repeatable, settingsOptions } from './command-definition.js';
import { natsAccessOptions, streamLimitOptions } from './nats-options.js';

export const serve: CommandDefinition = {
  name: 'serve',
  description:
    'Answer the requests of agents in other processes, on a socket or a NATS server, until a signal. Finishes what runs, then ends.',
  options: [
    ...settingsOptions,
    { flags: '--socket <path>', description: 'connect to the bus at this socket' },
    { flags: '--nats <url>', description: 'connect to this NATS server; needs the package @tenterhook/transport-nats' },
    repeatable('--namespace <name[=dir]>', 'serve this namespace, with the settings of this project directory (default: default)'),
    ...natsAccessOptions,
    repeatable(
      '--max-in-flight <[namespace=]number>',
      'maximum number of requests of a namespace at a time; further ones are refused (default: 1024)',
    ),
    {
      flags: '--at-least-once',
      description: 'keep requests in a stream of the NATS server until they are answered; hooks may then run more than once',
    },
    {
      flags: '--ack-wait <ms>',
      description: 'time without a sign of life of a worker until its request goes to another one (default: 10000)',
    },
    { flags: '--max-deliveries <number>', description: 'after so many deliveries a request is answered with an error (default: 5)' },
    {
      flags: '--queue-replicas <number>',
      description: 'number of servers of a cluster that store the requests, if the stream is created (default: 1)',
    },
    {
      flags: '--large-messages',
      description: 'keep messages that are larger than the limit of the NATS server in an object store of the server',
    },
    {
      flags: '--drain-timeout <ms>',
      description: 'after a signal, wait so long for a lost connection, so that the last answers arrive (default: 10000)',
    },
    {
      flags: '--health-port <port>',
      description: 'answer http requests for /healthz and /readyz on this port of 127.0.0.1; 0 for a free port',
    },
    { flags: '--load-query', description: 'answer the query "load" of other programs on the bus' },
    {
      flags: '--record-stream <name>',
      description: 'record requests and answers to this stream of the NATS server; it is created if it is missing',
    },
    { flags: '--record-progress', description: 'record the steps of the hooks, too' },
    { flags: '--record-unmasked', description: 'keep secrets as they are in the record' },
    repeatable('--secret <NAME>', 'replace the value of this environment variable by a placeholder in the record'),
    ...streamLimitOptions,
    { flags: '--json', description: 'print a line of JSON for each request' },
  ],
  help: `
Examples:
  tenterhook serve --socket /run/agent/bus
  tenterhook serve --nats nats://10.0.0.5:4222 --namespace web=/srv/web --namespace shop=/srv/shop --json

Exit status:
  0    the worker was ended by a signal, and has finished its requests
  1    it could not connect, or the settings cannot be used
  64   usage error
  70   a bug in tenterhook
  128 + n  a second signal n ended it before its requests were finished`,
  run: async (_words, flags, context) => (await import('../commands/serve.js')).serve(flags, context),
};
