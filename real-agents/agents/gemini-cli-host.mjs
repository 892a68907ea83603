/**
 * Runs the hook system of Gemini CLI in a process of its own: reads one event in each line of stdin, and writes what the hook system reports.
 * The first argument is the installed package, the second one the settings file of the user.
 */
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [core, settingsFile] = process.argv.slice(2);
const load = (path) => import(new URL(path, pathToFileURL(`${core}/`)).href);

const { debugLogger } = await load('dist/src/utils/debugLogger.js');
// Without the command line, its messages are printed on stdout.
for (const level of ['debug', 'log', 'warn', 'error']) debugLogger[level] = (...words) => process.stderr.write(`${words.join(' ')}\n`);
const { HookSystem } = await load('dist/src/hooks/index.js');

const { hooks } = JSON.parse(readFileSync(settingsFile, 'utf8'));
const config = {
  getHooks: () => hooks,
  getProjectHooks: () => undefined,
  getDisabledHooks: () => [],
  getExtensions: () => [],
  isTrustedFolder: () => true,
  getProjectRoot: () => process.cwd(),
  getWorkingDir: () => process.cwd(),
  getSessionId: () => 's1',
  getUsageStatisticsEnabled: () => false,
  getTelemetryEnabled: () => false,
  sanitizationConfig: { allowedEnvironmentVariables: [], blockedEnvironmentVariables: [], enableEnvironmentVariableRedaction: false },
  storage: { getPlansDir: () => tmpdir() },
};
const system = new HookSystem({ ...config, config });
await system.initialize();

/** What the agent asks of the output of its hooks. */
function reportOf(output) {
  if (output === undefined) return {};
  return {
    decision: output.decision,
    blocked: output.isBlockingDecision(),
    asks: output.isAskDecision(),
    stops: output.shouldStopExecution(),
    reason: output.getEffectiveReason(),
    message: output.systemMessage,
    input: output.getModifiedToolInput?.(),
    context: output.getAdditionalContext(),
  };
}

/** On these events the hook system itself says what becomes of the request or of the answer. */
const ofModel = {
  BeforeModel: ([request]) => system.fireBeforeModelEvent(request),
  AfterModel: ([request, response]) => system.fireAfterModelEvent(request, response),
  BeforeToolSelection: ([request]) => system.fireBeforeToolSelectionEvent(request),
};

async function fire({ event, args }) {
  if (event in ofModel) return ofModel[event](args);
  const { success, errors, finalOutput } = await system.getEventHandler()[`fire${event}Event`](...args);
  return { success, errors: errors.map(String), ...reportOf(finalOutput) };
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await fire(JSON.parse(line)))}\n`);
}
// The package keeps timers.
process.exit(0);
