export { hooksMiddleware } from './hooks-middleware.js';
export { langChainTranslator } from './model/translator.js';

export type { HooksMiddlewareOptions } from './adapter.js';
export type { LangChainRequest } from './model/request.js';
