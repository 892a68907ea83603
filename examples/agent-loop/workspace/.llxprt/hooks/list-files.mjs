#!/usr/bin/env node
// With each prompt: which files there are, so that the model need not look.
import { readdirSync } from 'node:fs';

const files = readdirSync(process.env.LLXPRT_PROJECT_DIR).filter((name) => !name.startsWith('.'));
const additionalContext = `Files of the project: ${files.sort().join(', ')}.`;
console.log(JSON.stringify({ hookSpecificOutput: { additionalContext } }));
