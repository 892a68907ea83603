#!/usr/bin/env node
const fs = require('fs');
const path = require('path');

console.error('reading memories');
const file = path.join(process.env.GEMINI_PROJECT_DIR, 'memories.txt');
const memories = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
console.log(
  JSON.stringify({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: memories.map((line) => `- ${line}`).join('\n') },
    systemMessage: `${memories.length} memories`,
  }),
);
