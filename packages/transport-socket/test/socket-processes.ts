import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SocketScene } from './socket-scene.js';

export const channel = 'HOOK_EXECUTION_REQUEST';

export const asked = { eventName: 'BeforeTool', input: {} };

export const call = (engineId: string) => ({ engineId, hookId: 'h', event: {}, timeoutMs: 1000 });

export const start = (scene: SocketScene, kind: string) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/idle.mjs'), scene.path, kind], { stdio: 'inherit' });
  return { child, ended: once(child, 'exit') };
};
