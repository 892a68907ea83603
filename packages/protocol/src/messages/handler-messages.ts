import * as z from '@tenterhook/runtime/schema';
import { correlationId, hookId, responseErrorSchema, trace } from './fields.js';

/** The hooks of another process. The receiver validates each hook separately, so that an invalid hook does not affect the others. */
export const handlerAnnouncePayloadSchema = z.object({
  engineId: z.string().describe('Id of the engine that has the handlers.'),
  name: z.string().optional().describe('Name of the engine. A later engine with the same name replaces the earlier one.'),
  version: z.string().optional().describe('Version of the engine, such as the version of its policy. Outcomes of its hooks state it.'),
  query: z
    .boolean()
    .optional()
    .describe('true asks every engine to announce itself. `engineId` is then the id of the sender, and `hooks` is empty.'),
  hooks: z
    .array(z.record(z.string(), z.unknown()))
    .describe(
      'The hooks of the engine, each `{ id, event_type, matcher?, config?, hasHandler }`. An empty list removes all hooks of the engine.',
    ),
  pathFields: z.array(z.string()).optional().describe("Settings of the engine's matchers: the names of fields that hold paths."),
  shellTools: z.array(z.string()).optional().describe("Settings of the engine's matchers: the tools whose input is a shell command."),
  ignoreCase: z
    .boolean()
    .optional()
    .describe(
      "Settings of the engine's matchers: whether upper and lower case are ignored when paths are compared. Without it, the platform of the agent decides.",
    ),
});

export const handlerCallPayloadSchema = z.object({
  correlationId: correlationId.optional(),
  engineId: z.string().describe('Id of the engine that has the handler.'),
  hookId,
  event: z.record(z.string(), z.unknown()).describe('The event that the handler receives.'),
  timeoutMs: z.number().describe('Timeout of the handler in milliseconds.'),
  trace,
});

export const handlerResultPayloadSchema = z.object({
  correlationId,
  success: z.boolean().describe('Whether the handler answered.'),
  output: z.unknown().optional().describe('Answer of the handler.'),
  error: responseErrorSchema.optional().describe('Why the handler gave no answer.'),
});
