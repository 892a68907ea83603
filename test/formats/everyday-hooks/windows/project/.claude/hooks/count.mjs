import { readFileSync } from 'node:fs';
const { tool_input } = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify({ systemMessage: `${tool_input.content.length} characters` }));
