import type { Dialect } from '@tenterhook/protocol';
import { antigravity } from './antigravity/index.js';
import { claudeCode } from './claude-code/index.js';
import { codex } from './codex/index.js';
import { copilot } from './copilot/index.js';
import { cursor } from './cursor/index.js';
import { eca } from './eca/index.js';
import { geminiCli } from './gemini-cli/index.js';
import { llxprt } from './llxprt/index.js';
import { auggie, codeBuddy, devin, factoryDroid, qwenCode, trae } from './relatives/index.js';

/** All dialects, in the order in which their hooks of one event run (design §4.5). Add a new dialect here. */
export function defaultDialects(): Dialect[] {
  return [
    llxprt(),
    claudeCode(),
    geminiCli(),
    codex(),
    cursor(),
    copilot(),
    eca(),
    qwenCode(),
    factoryDroid(),
    codeBuddy(),
    devin(),
    trae(),
    auggie(),
    antigravity(),
  ];
}
