import type { OptionDefinition } from './command-definition.js';

/** How a command authenticates at a NATS server. Secrets are in files or in the environment, because other users see command lines. */
export const natsAccessOptions: readonly OptionDefinition[] = [
  { flags: '--client <name>', description: 'name of this program, for the permissions of the NATS server' },
  { flags: '--credentials <file>', description: 'credentials file for the NATS server' },
  { flags: '--nkey-file <file>', description: 'file with the seed of an NKey of a user' },
  { flags: '--token-file <file>', description: 'file with a token; without it, the environment variable NATS_TOKEN is used' },
  { flags: '--user <name>', description: 'user of the NATS server; the password is in the environment variable NATS_PASSWORD' },
  { flags: '--password-file <file>', description: 'file with the password of the user, in place of NATS_PASSWORD' },
  { flags: '--tls-ca <file>', description: 'certificates of the authorities that may sign the certificate of the server (PEM)' },
  { flags: '--tls-cert <file>', description: 'certificate of this program (PEM); needs --tls-key' },
  { flags: '--tls-key <file>', description: 'key of the certificate of this program (PEM)' },
];

/** The limits of a stream that a command creates. */
export const streamLimitOptions: readonly OptionDefinition[] = [
  {
    flags: '--stream-max-bytes <bytes>',
    description: 'maximum size of the stream, if it is created; the oldest is removed (default: 1 GiB)',
  },
  { flags: '--stream-max-age <ms>', description: 'how long the stream keeps a message, if it is created (default: 604800000, 7 days)' },
  {
    flags: '--stream-replicas <number>',
    description: 'number of servers of a cluster that store the stream, if it is created (default: 1)',
  },
];
