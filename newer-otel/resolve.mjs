// Resolves OpenTelemetry to the packages of this folder, in the processes that tests start: node --import ./resolve.mjs
import { registerHooks } from 'node:module';

const packages = new URL('node_modules/', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    // Packages of this folder find each other without help.
    if (!specifier.startsWith('@opentelemetry/') || context.parentURL?.startsWith(packages)) return next(specifier, context);
    const newer = specifier === '@opentelemetry/sdk-trace-base' ? './sdk-trace-base.cjs' : specifier;
    return next(newer, { ...context, parentURL: import.meta.url });
  },
});
