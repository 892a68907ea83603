#!/usr/bin/env node
// If the prompt asks to write something, the answer should name a file. "deny" makes the agent continue, with the reason as its next prompt.
import { readdirSync, readFileSync } from 'node:fs';

const event = JSON.parse(readFileSync(0, 'utf8'));
const wantsFiles = /^(write|freeze)\b/i.test(event.prompt);
const namesFile = readdirSync(process.env.LLXPRT_PROJECT_DIR).some((name) => event.prompt_response.includes(name));

// Denies only once: without the check of stop_hook_active, an agent that never names a file would continue again and again.
if (wantsFiles && !namesFile && !event.stop_hook_active) {
  console.log(JSON.stringify({ decision: 'deny', reason: 'Say which files you wrote.' }));
}
