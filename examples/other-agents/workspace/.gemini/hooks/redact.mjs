#!/usr/bin/env node
// AfterTool: a deny replaces the result with the reason, so the model receives the text without its keys.
import { readFileSync } from 'node:fs';

const { tool_response: response } = JSON.parse(readFileSync(0, 'utf8'));
const text = String(response.llmContent);
const reason = text.replaceAll(/("?(?:key|token|secret)"?\s*[:=]\s*"?)[\w-]{16,}/gi, '$1[REDACTED]');

console.log(JSON.stringify(reason === text ? {} : { decision: 'deny', reason }));
