import * as z from '@tenterhook/runtime/schema';
import { errorCodes } from '../codes.js';

/** Any value is accepted, because a malformed context must not make a request invalid (`readTraceContext`). */
export const trace = z
  .unknown()
  .optional()
  .describe(
    'The trace of the sender: `{ traceparent, tracestate?, baggage? }`, as in W3C Trace Context and Baggage. A malformed one is ignored.',
  );

export const correlationId = z.string().min(1).describe('Id that all messages of one request have.');

export const hookId = z.string().describe('Id of the hook.');

export const responseErrorSchema = z.object({
  code: z
    .enum(Object.keys(errorCodes) as [keyof typeof errorCodes, ...(keyof typeof errorCodes)[]])
    .describe('The code of the error, which stays the same in all versions.'),
  message: z.string().describe('A text for people. It may change in later versions.'),
  details: z.record(z.string(), z.unknown()).optional().describe('More about the error, such as the outcomes so far.'),
});

/** Why a request was not carried out. */
export interface ResponseError extends z.infer<typeof responseErrorSchema> {}
