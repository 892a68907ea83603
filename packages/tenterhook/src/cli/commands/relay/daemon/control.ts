import { findDaemonPlace } from '@tenterhook/relay';
import { dialectContext } from '../../../../settings/discover/dialect-context.js';
import type { CommandContext } from '../../../context.js';
import { CommandError, ExitStatus } from '../../../errors/exit-status.js';
import { ownScript } from '../../../version.js';
import { logFile } from '../relay-log.js';
import { askAboutDaemon } from './ask.js';
import { startDaemon } from './start-daemon.js';

/** Ends the daemon when it has answered the events that it has taken. */
export async function relayStop(context: CommandContext): Promise<number> {
  const state = await askAboutDaemon('stop', context.env);
  context.stdout.write(
    state === undefined ? 'No daemon of the relay runs.\n' : `The daemon (pid ${state.pid}) answers what it has taken, and ends.\n`,
  );
  return ExitStatus.ok;
}

/** Ends the daemon, and starts another one. */
export async function relayRestart(context: CommandContext): Promise<number> {
  await relayStop(context);
  const place = findDaemonPlace(context.env);
  if ('problem' in place) throw new CommandError({ code: 'invalid_request', message: place.problem });
  const log = logFile({ environment: context.env, home: dialectContext('/', context.env).home });
  const isStarted = await startDaemon({
    socket: place.socket,
    node: process.execPath,
    script: ownScript(),
    log,
    environment: context.env,
    waitMs: startMs,
  });
  const state = isStarted ? await askAboutDaemon('status', context.env) : undefined;
  if (state === undefined) throw new CommandError({ code: 'invalid_request', message: `The daemon could not be started. Read ${log}.` });
  context.stdout.write(`The daemon (pid ${state.pid}) listens on ${place.socket}.\n`);
  return ExitStatus.ok;
}

const startMs = 20_000;
