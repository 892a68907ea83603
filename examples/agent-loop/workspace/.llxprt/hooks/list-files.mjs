#!/usr/bin/env node
// Adds the list of files to each prompt, so that the model need not ask for it.
import { readdirSync } from 'node:fs';

const files = readdirSync(process.env.LLXPRT_PROJECT_DIR).filter((name) => !name.startsWith('.'));
const additionalContext = `Files of the project: ${files.sort().join(', ')}.`;
console.log(JSON.stringify({ hookSpecificOutput: { additionalContext } }));
