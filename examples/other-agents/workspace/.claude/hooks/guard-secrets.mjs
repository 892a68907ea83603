#!/usr/bin/env node
// PreToolUse: keeps secrets out of the conversation. It checks only names: it prevents mistakes and does not confine a program.
import { readFileSync } from 'node:fs';

const { tool_name: tool, tool_input: input } = JSON.parse(readFileSync(0, 'utf8'));
const text = tool === 'Bash' ? input.command : input.file_path;
const secret = /(?<![\w.-])(\.env(\.\w+)?|[\w.-]+\.pem|id_rsa)(?![\w.-])/.exec(text)?.[0];

if (secret !== undefined) {
  const permissionDecisionReason = `${secret} holds secrets. Ask the user for what you need from it.`;
  console.log(
    JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason } }),
  );
}
