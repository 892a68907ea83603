import fc from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * jest resolves `fast-check` to this file. A property runs as often as it says, but at most `FC_RUNS` times: enough to try each change,
 * while `npm run test:all` sets no limit. A property that fails prints its seed and the path to the counterexample.
 */
const mostRuns = Number(process.env['FC_RUNS'] ?? 200);
const runsByDefault = 100;

function assert(property: fc.IRawProperty<unknown>, parameters: fc.Parameters<unknown> = {}): void | Promise<void> {
  return fc.assert(property, { ...parameters, numRuns: Math.min(parameters.numRuns ?? runsByDefault, mostRuns) });
}

// biome-ignore lint/style/noDefaultExport: It stands in for the module's default export.
export default { ...fc, assert };
