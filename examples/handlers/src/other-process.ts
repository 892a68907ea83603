import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenOnSocket } from '@tenterhook/transport-socket';
import { createHooks, MessageBus, remoteHandlers } from 'tenterhook';

const folder = await mkdtemp(join(tmpdir(), 'other-process-'));
const path = join(folder, 'hooks.sock');
const transport = await listenOnSocket({ path });
const bus = new MessageBus({ transport });

// Every process that can open the socket can announce hooks. `accept` decides whose hooks count.
const remote = remoteHandlers(bus, { accept: ({ name }) => name === 'policy' });
const hooks = await createHooks({ settings: {}, handlers: [remote] });
let policy: ChildProcess | undefined;
try {
  policy = await startPolicy();
  await tryCommands();

  console.log('the policy process is killed');
  policy.kill('SIGKILL');
  await once(policy, 'exit');
  await tryCommands();

  policy = await startPolicy();
  await tryCommands();
} finally {
  policy?.kill('SIGKILL');
  await hooks.dispose();
  remote.close();
  await bus.close();
  await transport.close();
  await rm(folder, { recursive: true });
}

async function startPolicy(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'policy-process.js'), [path]);
  // Before the engine has announced itself, its hooks do not exist here. An agent that does not wait runs without them.
  console.log(`the policy process ${(await remote.waitFor('policy', { timeoutMs: 20_000 })) ? 'is here' : 'did not come'}`);
  return child;
}

async function tryCommands(): Promise<void> {
  for (const command of ['npm test', 'npm publish']) {
    const { verdict, finalOutput, outcomes } = await hooks.getEventHandler().fireBeforeToolEvent('Bash', { command });
    const args = finalOutput?.hookSpecificOutput?.['tool_input'] ?? { command };
    console.log(`  ${command}: ${verdict.kind === 'deny' ? `deny. ${verdict.reason}` : JSON.stringify(args)}`);
    for (const { name, status, skipReason, warnings } of outcomes) {
      console.log(`    ${name}: ${[skipReason ?? status, ...warnings.map(({ code }) => code)].join(', ')}`);
    }
  }
}
