#!/usr/bin/env node
// Checks that every station has its coordinates.
import { readFileSync } from 'node:fs';

const stations = JSON.parse(readFileSync(new URL('../stations.json', import.meta.url), 'utf8'));
const missing = Object.entries(stations).flatMap(([name, station]) =>
  ['lat', 'lon'].filter((field) => typeof station[field] !== 'number').map((field) => `${name} has no ${field}.`),
);
for (const problem of missing) console.error(problem);
process.exitCode = missing.length === 0 ? 0 : 1;
