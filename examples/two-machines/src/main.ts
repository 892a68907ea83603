import { connectToNats } from '@tenterhook/transport-nats';
import { createAgent, MessageBus } from 'tenterhook';
import { startServer, startWorker, stopAll } from './machines.js';

try {
  const server = await startServer();
  const one = await startWorker('worker one', server);
  const two = await startWorker('worker two', server);

  // The agent has no hooks of its own. If no worker answers, its tools do not run.
  const transport = await connectToNats({ servers: server });
  const bus = new MessageBus({ transport });
  const agent = createAgent(bus, { onUnavailable: 'deny', timeoutMs: 30_000 });
  const execute = () => ({ llmContent: 'done' });
  const run = (command: string) => agent.tool({ name: 'run_shell_command', input: { command }, execute });

  /** Runs many commands at once. Returns how many were executed, and what the hooks said. */
  const runMany = async (count: number, during: () => Promise<void> = async () => {}) => {
    const running = Array.from({ length: count }, () => run('ls'));
    await during();
    const calls = await Promise.all(running);
    const executed = calls.filter(({ status }) => status === 'executed').length;
    console.log(`  ${executed} of ${calls.length} commands were executed`);
    return [...new Set(calls.flatMap(({ systemMessages }) => systemMessages))].sort();
  };

  console.log('two workers');
  for (const text of await runMany(20)) console.log(`  ${text}`);
  const denied = await run('rm -rf build');
  console.log(`  rm -rf build: ${denied.status}. ${denied.reason}`);

  console.log('worker one is stopped while commands are checked');
  await runMany(20, () => one.stop());

  console.log('worker two alone');
  for (const text of await runMany(5)) console.log(`  ${text}`);

  console.log('no worker');
  await two.stop();
  const { status, reason = '' } = await run('ls');
  console.log(`  ls: ${status}. ${reason.split(':')[0]}.`);

  await bus.close();
  await transport.close();
} finally {
  await stopAll();
}
