/**
 * Runs the hook runner of Copilot in a process of its own: reads one event in each line of stdin, and writes what the runner hands to the agent.
 * The argument is the native module that the package has.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const runner = createRequire(import.meta.url)(file);
const [sessionId, cwd] = ['s1', process.cwd()];
const place = { cwd, repoRoot: cwd, sessionId, settingsJson: '{}', userHooksDir: join(process.env.HOME, '.copilot/hooks') };
const created = await runner.hookSessionCreate({ ...place, allowLocalhost: false, allowHttpAuthHooks: false, discoverPolicies: false });
const { processorId } = runner.hookProcessorConfigureOwned(sessionId, 'tenterhook');
await runner.hookProcessorRefreshContextOwned(sessionId, processorId, cwd);

for await (const line of createInterface({ input: process.stdin })) {
  const { event, fields } = JSON.parse(line);
  const payload = { sessionId, timestamp: Date.now(), cwd, ...fields };
  const { output, failures, logs } = await runner.hookProcessorEventOwned(sessionId, processorId, event, payload);
  process.stdout.write(`${JSON.stringify({ output, failures, logs, hooks: created.hookCount })}\n`);
}
// The native module keeps threads.
process.exit(0);
