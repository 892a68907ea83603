import { qwenCode } from '@tenterhook/dialects';
import { qwenCode as product } from '../../../packages/dialects/src/relatives/products/qwen-code.js';
import { relativeNames } from '../relatives/relative-names.js';

/** What the dialect of this agent knows. */
export const names = relativeNames(product, qwenCode());
