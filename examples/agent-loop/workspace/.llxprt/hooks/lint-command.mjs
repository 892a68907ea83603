#!/usr/bin/env node
// Checks a shell command before it runs.
import { readFileSync } from 'node:fs';

const { command } = JSON.parse(readFileSync(0, 'utf8')).tool_input;

if (/\brm\s+-\w*[rf]/.test(command)) {
  // A decision is printed as a JSON object. "ask" asks the user; if no user can be asked, the tool does not run.
  console.log(JSON.stringify({ decision: 'ask', reason: `"${command}" deletes for good.` }));
} else if (/^cat \S+ \|/.test(command)) {
  // Plain text decides nothing: it becomes a message for the model.
  console.log('cat is not needed here: a command reads a file by itself, as in "wc -l < FILE".');
}
