import { factoryDroid } from '@tenterhook/dialects';
import { factory as product } from '../../../packages/dialects/src/relatives/products/factory.js';
import { relativeNames } from '../relatives/relative-names.js';

/** What the dialect of this agent knows. */
export const names = relativeNames(product, factoryDroid());
