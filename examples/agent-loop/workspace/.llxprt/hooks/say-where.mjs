#!/usr/bin/env node
// An answer to a prompt that wanted something written should name a file. "deny" sends the agent on, with the reason as its next prompt.
import { readdirSync, readFileSync } from 'node:fs';

const event = JSON.parse(readFileSync(0, 'utf8'));
const wantsFiles = /^(write|freeze)\b/i.test(event.prompt);
const namesFile = readdirSync(process.env.LLXPRT_PROJECT_DIR).some((name) => event.prompt_response.includes(name));

// Once is enough: without a look at stop_hook_active, an agent that never names a file would be sent on again and again.
if (wantsFiles && !namesFile && !event.stop_hook_active) {
  console.log(JSON.stringify({ decision: 'deny', reason: 'Say which files you wrote.' }));
}
