/**
 * Stops one hook of a rig, and ends it should the rig go meanwhile: `node hook-rig-watcher.js socket token pid`.
 * A stopped process can do neither: it does not see the end of its connection.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const [, , socketPath = '', token, pidText] = process.argv;
const pid = Number(pidText);

const socket = connect(socketPath);
let isOver = false;
socket.on('error', () => {});
socket.on('data', () => {
  // The one thing that a rig says: the hook has ended.
  isOver = true;
});
socket.on('close', () => {
  if (!isOver && isHook()) process.kill(pid, 'SIGKILL');
});
socket.on('connect', () => {
  if (!isHook()) {
    socket.destroy();
    return;
  }
  process.kill(pid, 'SIGSTOP');
  tellWhenStopped();
});

/** The signal is sent by then, and its effect comes a moment later. There is no event for it but to the parent. */
function tellWhenStopped() {
  if (isStandingStill()) socket.write(`${JSON.stringify({ kind: 'watcher', token })}\n`);
  else setImmediate(tellWhenStopped);
}

function isStandingStill() {
  try {
    return /^.*\) [^RSD]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // It is gone, or there is no /proc (macOS), where nothing better can be said.
    return true;
  }
}

/** A number may have gone to another process. */
function isHook() {
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(socketPath);
  } catch {
    return false;
  }
}
