export { langChainTranslator } from './model/translator.js';

export type { LangChainRequest } from './model/translator.js';
