#!/usr/bin/env node
// A hook with a bug: it expects a field that this event does not have. The exception makes it exit with code 1.
import { readFileSync } from 'node:fs';

const event = JSON.parse(readFileSync(0, 'utf8'));
const slowest = event.tool_response.timings.sort((a, b) => b - a)[0];
console.log(`The slowest step took ${slowest} ms.`);
