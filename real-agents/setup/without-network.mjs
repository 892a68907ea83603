import { spawnSync } from 'node:child_process';

/** As root without a namespace of users, which some containers do not permit. */
const ways = [['--map-root-user', '--net'], ['--net']];

/** All processes end with the first one, so that no agent and no daemon is left. */
const ownProcesses = ['--pid', '--fork', '--kill-child', '--mount-proc'];

/** Agents ask a model on loopback. It is the only interface. */
const script = 'ip link set lo up && "$@"';

/**
 * Returns the command line that runs a program in a namespace whose only network is loopback. If the machine does not permit it, returns why.
 */
export function withoutNetwork(program) {
  let problem = '';
  for (const way of ways) {
    const words = [...way, ...ownProcesses, 'sh', '-c', script, 'sh'];
    const { status, stderr, error } = spawnSync('unshare', [...words, 'true'], { encoding: 'utf8' });
    if (status === 0) return { command: ['unshare', ...words, ...program] };
    problem = error?.message ?? stderr.trim();
  }
  return { problem };
}
