import { readFileSync } from 'node:fs';

const { tool_input } = JSON.parse(readFileSync(0, 'utf8'));
if (/git\s+branch\s+-D/.test(tool_input.command)) {
  console.error('Branches stay.');
  process.exit(2);
}
