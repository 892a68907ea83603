import fc from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * jest resolves `fast-check` to this file. A property runs as often as it says, but at most `FC_RUNS` times, which is enough to try a
 * change; `npm run test:all` sets no limit. A property that fails prints its seed and the path to the counterexample.
 */
const mostRuns = Number(process.env['FC_RUNS'] ?? 50);
const runsByDefault = 100;

function assert(property: fc.IRawProperty<unknown>, parameters: fc.Parameters<unknown> = {}): void | Promise<void> {
  return fc.assert(property, { ...parameters, numRuns: Math.min(parameters.numRuns ?? runsByDefault, mostRuns) });
}

/**
 * Any code point but surrogates, as in `binary` of fast-check. That one is not used, because it first builds a table of all code points,
 * which takes a second in each test file.
 */
const codePoint = fc.nat(0x10f7ff).map((index) => {
  // Small numbers occur more often, and counterexamples shrink to them, so they are printable characters.
  if (index < 0x5f) return String.fromCodePoint(index + 0x20);
  if (index < 0x7f) return String.fromCodePoint(index - 0x5f);
  return String.fromCodePoint(index < 0xd800 ? index : index + 0x800);
});

function string(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string(constraints.unit === 'binary' ? { ...constraints, unit: codePoint } : constraints);
}

// biome-ignore lint/style/noDefaultExport: It replaces the module's default export.
export default { ...fc, assert, string };
