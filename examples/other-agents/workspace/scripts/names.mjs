// Prints the names of the stations.
import { readFileSync } from 'node:fs';

console.log(
  Object.keys(JSON.parse(readFileSync('stations.json', 'utf8')))
    .sort()
    .join(', '),
);
