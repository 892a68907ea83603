import { existsSync } from 'node:fs';
import { join } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/**
 * The files that take longest, the longest first. A long file that starts last keeps one worker busy while the others wait. Without its
 * cache jest starts the largest files first. With the cache of the first tier it starts the properties of the second tier last.
 */
const longest = [
  'test/publishing/new-user.slow.test.ts',
  'test/properties/trust.test.ts',
  'test/relay/laws/laws.slow.test.ts',
  'test/formats/conformance.slow.test.ts',
  'test/bench/peers.slow.test.ts',
  'test/docs/commands.slow.test.ts',
  'test/inspector/page/live.slow.test.ts',
  'test/inspector/page/use.slow.test.ts',
  'test/inspector/page/large.slow.test.ts',
  'test/site/browser.slow.test.ts',
  'packages/inspector/test/source/large-recording.slow.test.ts',
  'test/inspector/inspect-command.test.ts',
  'test/inspector/page/installed.slow.test.ts',
  'test/inspector/page/strangers.slow.test.ts',
  'test/trust/swapped-files.slow.test.ts',
  'test/properties/rechecked-input.test.ts',
  'test/recording/example-agent.slow.test.ts',
  'test/cli/serving/ending.test.ts',
  'test/relay/client/client.slow.test.ts',
  'test/relay/client/daemon.test.ts',
  'test/relay/agents/limits.slow.test.ts',
  'test/relay/install/install.test.ts',
  'test/relay/agents/claude-code.test.ts',
  'test/relay/agents/codex.test.ts',
  'test/relay/agents/copilot.test.ts',
  'test/formats/large-output.slow.test.ts',
  'test/cli/serving/cluster.slow.test.ts',
  'test/relay/agents/gemini-cli.test.ts',
  'test/relay/agents/bad-input.test.ts',
  'test/relay/install/doctor.test.ts',
  'test/faults/output.slow.test.ts',
  'packages/testing/test/dialects/broken-running.slow.test.ts',
  'packages/recording/test/record/crash.slow.test.ts',
  'packages/mcp/test/command/asking.test.ts',
  'packages/mcp/test/command/ending.test.ts',
  'packages/mcp/test/transport/hook-mcp-transport.test.ts',
  'packages/testing/test/dialects/output-options.slow.test.ts',
  'packages/testing/test/matchers/runners.slow.test.ts',
  'packages/recording/test/record/load.slow.test.ts',
  'examples/agent-loop/test/decisions.slow.test.ts',
  'test/attacks/processes.test.ts',
  'test/docs/writing.test.ts',
  'test/trust/large.test.ts',
];
/** A file outside of the list that takes longer is reported after the run. */
const reportedMs = 60_000;

class LongestFirst extends TestSequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => positionOf(one) - positionOf(other));
  }

  cacheResults(tests, results) {
    super.cacheResults(tests, results);
    const listed = new Set(tests.filter((test) => positionOf(test) < longest.length).map(({ path }) => path));
    for (const { testFilePath: file, perfStats } of results.testResults) {
      if (perfStats.runtime <= reportedMs || listed.has(file)) continue;
      process.stderr.write(`${file} took ${perfStats.runtime} ms. Add it to "longest" in ${import.meta.filename}.\n`);
    }
  }
}

function positionOf({ path, context }) {
  const { rootDir } = context.config;
  const position = longest.findIndex((file) => path === join(rootDir, file));
  return position === -1 ? longest.length : position;
}

const missing = longest.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)));
if (missing.length > 0) throw new Error(`${missing.join(', ')} in "longest" of ${import.meta.filename} does not exist. Correct the path.`);

export { LongestFirst as default };
