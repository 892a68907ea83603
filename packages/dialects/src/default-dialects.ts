import type { Dialect } from '@tenterhook/protocol';
import { claudeCode } from './claude-code/index.js';
import { eca } from './eca/index.js';
import { geminiCli } from './gemini-cli/index.js';
import { llxprt } from './llxprt/index.js';

/** All dialects, in the order in which their hooks of one event run (design §4.5). Add a new dialect here. */
export function defaultDialects(): Dialect[] {
  return [llxprt(), claudeCode(), geminiCli(), eca()];
}
