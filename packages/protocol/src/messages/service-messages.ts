import * as z from '@tenterhook/runtime/schema';
import { type Diagnostic, diagnosticSchema } from '../hooks/diagnostic.js';
import { correlationId, hookId, responseErrorSchema } from './fields.js';

export const serviceQueryPayloadSchema = z.object({
  correlationId: correlationId.optional(),
  query: z
    .string()
    .describe(
      'What to answer. `describe`: the hooks, the settings files and the problems of the service. `explain`: which hooks would run for an event, and why. `preview`: what these hooks would receive. `load`: what a worker of `tenterhook serve` has done so far. Others are refused.',
    ),
  eventName: z.string().optional().describe('Name of the event, for `explain` and `preview`.'),
  input: z.record(z.string(), z.unknown()).optional().describe('Fields of the event, for `explain` and `preview`.'),
});

const inputIssues = z
  .array(z.object({ path: z.string(), message: z.string(), remedy: z.string().optional() }))
  .describe('What is wrong with the input. Hooks are explained nevertheless; none is previewed.');

const explainedSchema = z.object({
  hooks: z.array(
    z.object({
      hookId,
      name: z.string().optional().describe('Name of the hook, if it has one.'),
      wouldRun: z.boolean().describe('Whether the hook would run.'),
      reason: z.string().describe('Why, as a sentence for people.'),
      skipReason: z.string().optional().describe('Why it would not run, as a code.'),
      stage: z.number().optional().describe('The stage of a hook that would run, from 1.'),
    }),
  ),
  issues: inputIssues,
});

const previewSchema = z.object({
  hooks: z.array(
    z.object({
      hookId,
      name: z.string().optional().describe('Name of the hook, if it has one.'),
      stage: z.number().describe('The stage of the hook, from 1.'),
      kind: z.string().describe('`command`, `http`, `call` or `host`; `refused` if the event would be denied without a run.'),
      command: z.string().optional().describe('The command, as the shell gets it.'),
      url: z.string().optional().describe('The address of the request, without its query and its password.'),
      cwd: z.string().optional().describe('The working directory.'),
      stdin: z.string().optional().describe('What the hook would receive: the first 64 KiB.'),
      stdinBytes: z.number().optional().describe('Bytes of the whole input.'),
      reason: z.string().optional().describe('Why the event would be denied without a run.'),
      headers: z.array(z.string()).optional().describe('Names of the headers of the request. Values are never sent.'),
      env: z.array(z.string()).optional().describe('Names of the environment variables. Values are never sent.'),
    }),
  ),
  issues: inputIssues,
});

export const serviceDescriptionSchema = z.object({
  events: z.array(z.string()).describe('Names of the events that have hooks.'),
  hooks: z
    .array(
      z.object({
        hookId,
        name: z.string().optional().describe('Name of the hook, if it has one.'),
        eventName: z.string().describe('Name of the event.'),
        dialect: z.string().describe('Format of the settings of the hook.'),
        source: z.string().describe('Where the hook comes from, such as `project` or `user`.'),
        off: z.string().optional().describe('Why the hook never runs. Missing if it runs for each event that it matches.'),
        matcher: z.string().optional().describe('The matcher as written in the settings.'),
        file: z.string().optional().describe('The settings file of the hook.'),
        line: z.number().optional().describe('The line of the hook in that file, from 1.'),
      }),
    )
    .describe('The configured hooks, in the order in which they run. Their commands are left out.'),
  files: z
    .array(z.object({ file: z.string(), source: z.string(), dialect: z.string().optional(), state: z.string() }))
    .describe('Every file where settings were looked for. `state` is `read`, `missing` or `broken`.'),
  diagnostics: z.array(diagnosticSchema as z.ZodType<Diagnostic>).describe('The problems of the settings.'),
  load: z
    .object({
      worker: z.string().describe('Name of the worker: its machine and the id of its process.'),
      ready: z.boolean().describe('Whether the worker takes requests. False from the signal that ends it.'),
      running: z.number().describe('Requests that run.'),
      answered: z.number().describe('Requests that were answered, since the start.'),
      denied: z.number().describe('Answered requests whose verdict was a deny.'),
      failed: z.number().describe('Answered requests that were not carried out.'),
      redelivered: z.number().optional().describe('Deliveries by a stream that were not the first one of their request.'),
      repeated: z.number().optional().describe('Deliveries by a stream of requests that the worker ran or had answered already.'),
    })
    .optional()
    .describe('Answer to the query `load`. The lists are then empty.'),
  explained: explainedSchema.optional().describe('Answer to the query `explain`. The lists are then empty.'),
  preview: previewSchema.optional().describe('Answer to the query `preview`. The lists are then empty.'),
});

export const serviceAnswerPayloadSchema = z.object({
  correlationId,
  success: z.boolean().describe('Whether the service answered the query.'),
  output: serviceDescriptionSchema.optional().describe('Answer to the query.'),
  error: responseErrorSchema.optional().describe('Why the query was not answered.'),
});
