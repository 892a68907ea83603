import { win32 } from 'node:path';
import { startDirectly } from './run/spawn-process.js';

const underWay = new Set<number>();

/**
 * Ends a process and all its descendants on Windows. In the background: waiting for it blocked other hosts for seconds; and by its absolute path,
 * so that a project cannot plant a `taskkill` (field failure 37). Always forced: without a window there is no gentle way.
 */
export function endTreeOnWindows(pid: number, env: NodeJS.ProcessEnv = process.env): void {
  if (underWay.has(pid)) return;
  underWay.add(pid);
  const root = env['SystemRoot'] ?? 'C:\\Windows';
  void startDirectly({
    file: win32.join(root, 'System32', 'taskkill.exe'),
    args: ['/PID', String(pid), '/T', '/F'],
    cwd: root,
    env: { SystemRoot: root },
    stdio: ['ignore', 'ignore', 'ignore'],
  }).then(async (start) => {
    // Where there is no taskkill at least the process itself is reached.
    if ('error' in start) killOne(pid);
    else await start.started.ended;
    underWay.delete(pid);
  });
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}
