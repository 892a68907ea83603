import type { RelativeProduct } from '../product.js';
import { auggie } from './auggie.js';
import { codebuddy } from './codebuddy.js';
import { devin } from './devin.js';
import { factory } from './factory.js';
import { qwenCode } from './qwen-code.js';
import { trae } from './trae.js';

/** The agents, in the order in which their hooks of one event run. */
export const relativeProducts = { qwenCode, factory, codebuddy, devin, trae, auggie } as const satisfies Record<string, RelativeProduct>;
