import { expectRefused } from './refused-regex.js';

// The engine needs a second until it refuses the pattern.
test('a large body that is repeated is a value with a remedy', () => {
  expectRefused(`(?:${'a'.repeat(1300)}){1000}`, 'too large', 'split it');
});
