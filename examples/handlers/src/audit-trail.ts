import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hook, HookEngine, HookEventType } from '@tenterhook/handlers';

const folder = await mkdtemp(join(tmpdir(), 'audit-trail-'));
const file = join(folder, 'audit.jsonl');
const engine = new HookEngine();

// The log is asynchronous, so that a slow disk does not slow down the agent.
const auditLog = Hook.new('audit-log', HookEventType.PostToolUse).with_config({ async_execution: true, priority: 1000 });
engine.register(auditLog);

const written = new Promise<void>((resolve, reject) => {
  engine.register_handler(auditLog, {
    async handle({ payload: { session_id, tool, args, result } }) {
      const entry = { session_id, tool, args, success: result.success, duration_ms: result.duration_ms };
      await appendFile(file, `${JSON.stringify(entry)}\n`).then(resolve, reject);
    },
  });
});

try {
  const { action } = await engine.fire({
    event_type: HookEventType.PostToolUse,
    payload: {
      session_id: 's-1',
      tool: 'Bash',
      args: { command: 'npm test' },
      result: { success: false, output: '1 test failed', exit_code: 1, duration_ms: 812 },
    },
  });
  console.log(`fire answered ${action}; the line is still being written`);
  await written;
  console.log((await readFile(file, 'utf8')).trimEnd());
} finally {
  await rm(folder, { recursive: true });
}
