import type { CommandContext } from '../context.js';
import { UsageError } from '../errors/exit-status.js';
import type { ServeRelayFlags } from './relay/daemon/serve.js';
import type { InstallFlags } from './relay/install/install.js';

export interface RelayFlags extends InstallFlags, ServeRelayFlags {
  readonly json?: boolean;
  readonly ci?: boolean;
}

/**
 * Runs one action of `tenterhook relay`. The module of an action is imported when the action runs. `directory` is the project of the action
 * `trust`.
 */
export async function relay(action: string, directory: string | undefined, flags: RelayFlags, context: CommandContext): Promise<number> {
  if (directory !== undefined && action !== 'trust') throw new UsageError(`relay ${action} has no argument ${JSON.stringify(directory)}.`);
  switch (action) {
    case 'run':
      return (await import('./relay/run.js')).relayRun(flags, context);
    case 'install':
      return (await import('./relay/install/install.js')).relayInstall(flags, context);
    case 'uninstall':
      return (await import('./relay/install/uninstall.js')).relayUninstall(flags, context);
    case 'status':
      return (await import('./relay/status.js')).relayStatus(flags, context);
    case 'serve':
      return (await import('./relay/daemon/serve.js')).relayServe(flags, context);
    case 'stop':
      return (await import('./relay/daemon/control.js')).relayStop(context);
    case 'restart':
      return (await import('./relay/daemon/control.js')).relayRestart(context);
    case 'trust':
      return (await import('./relay/trust.js')).relayTrust(directory, flags, context);
    case 'doctor':
      return (await import('./relay/doctor/doctor.js')).relayDoctor(flags, context);
    default:
      throw new UsageError(
        `relay: unknown action ${JSON.stringify(action)}. Write install, uninstall, status, doctor, trust, run, serve, stop or restart.`,
      );
  }
}
