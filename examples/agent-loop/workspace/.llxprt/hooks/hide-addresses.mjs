#!/usr/bin/env node
// Takes e-mail addresses out of what the model says, before anybody reads it.
import { readFileSync } from 'node:fs';

const { text = '' } = JSON.parse(readFileSync(0, 'utf8')).llm_response;
const hidden = text.replaceAll(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '[ADDRESS]');

// A text alone: the tool calls of the response stay. Whoever wants to take those away as well returns "candidates".
if (hidden !== text) console.log(JSON.stringify({ hookSpecificOutput: { llm_response: { text: hidden } } }));
