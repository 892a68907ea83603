import * as z from '@tenterhook/runtime/schema';
import { channelPayloadSchemas } from './messages.js';

/** JSON Schema of every bus message, keyed by channel; committed under `schema/` and compared by a test. */
export function messagesJsonSchema(): Record<string, unknown> {
  const message = z.discriminatedUnion(
    'type',
    Object.entries(channelPayloadSchemas).map(([type, payload]) => z.object({ type: z.literal(type), payload })) as unknown as [
      z.ZodObject<{ type: z.ZodLiteral<string> }>,
    ],
  );
  return { title: 'Tenterhook bus messages', ...z.toJSONSchema(message, { target: 'draft-07', io: 'input' }) };
}
