#!/usr/bin/env node
// Removes e-mail addresses from the model's text, before the user reads it.
import { readFileSync } from 'node:fs';

const { text = '' } = JSON.parse(readFileSync(0, 'utf8')).llm_response;
const hidden = text.replaceAll(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, '[ADDRESS]');

// With "text" alone, the tool calls of the response stay. To remove them too, return "candidates".
if (hidden !== text) console.log(JSON.stringify({ hookSpecificOutput: { llm_response: { text: hidden } } }));
