import type * as z from 'zod';
import type { baseInputSchema, eventCatalogue, HookEventName, mcpContextSchema } from './event-catalogue.js';

/** The interfaces of seed 000, derived from the catalogue's schemas. */
export type HookInput = z.infer<typeof baseInputSchema>;
export type HookInputOf<Name extends HookEventName> = z.infer<(typeof eventCatalogue)[Name]['input']>;
export type BeforeToolInput = HookInputOf<'BeforeTool'>;
export type AfterToolInput = HookInputOf<'AfterTool'>;
export type BeforeAgentInput = HookInputOf<'BeforeAgent'>;
export type AfterAgentInput = HookInputOf<'AfterAgent'>;
export type BeforeModelInput = HookInputOf<'BeforeModel'>;
export type AfterModelInput = HookInputOf<'AfterModel'>;
export type BeforeToolSelectionInput = HookInputOf<'BeforeToolSelection'>;
export type SessionStartInput = HookInputOf<'SessionStart'>;
export type SessionEndInput = HookInputOf<'SessionEnd'>;
export type PreCompressInput = HookInputOf<'PreCompress'>;
export type NotificationInput = HookInputOf<'Notification'>;
export type McpContext = z.infer<typeof mcpContextSchema>;
