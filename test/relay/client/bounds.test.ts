import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientBounds } from '@tenterhook/relay';
import { root } from '../../support/sources.js';

/** The constants of the compiled client, by their names in capitals. */
function readConstants(): ReadonlyMap<string, number> {
  const folder = join(root, 'packages/relay-client/src/client');
  const text = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const found = text.matchAll(/^#define (\w+) \(?(?:\(size_t\))?([\d.]+)L?((?: \* \d+)*)\)?$/gm);
  return new Map([...found].map(([, name = '', number, factors = '']) => [name, product([number ?? '', ...factors.split('*').slice(1)])]));
}

function product(numbers: readonly string[]): number {
  return numbers.reduce((result, number) => result * Number(number), 1);
}

test.each(Object.entries(clientBounds))('the compiled client has the same %s', (name, value) => {
  const constant = name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  expect(readConstants().get(constant)).toBe(value);
});
