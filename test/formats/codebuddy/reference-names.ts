import { codeBuddy } from '@tenterhook/dialects';
import { codebuddy as product } from '../../../packages/dialects/src/relatives/products/codebuddy.js';
import { relativeNames } from '../relatives/relative-names.js';

/** What the dialect of this agent knows. */
export const names = relativeNames(product, codeBuddy());
