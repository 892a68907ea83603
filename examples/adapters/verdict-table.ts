import type { AggregatedHookResult, EventRecord, Hooks } from 'tenterhook';
import { type ScriptedCall, steps } from './conversation.js';

/** What hooks decided about one call, and whether its tool ran. */
interface Row {
  readonly call: string;
  readonly verdict: string;
  readonly hooks: string;
  readonly tool: 'ran' | 'did not run';
}

/**
 * Watches the events of the hooks until they are disposed, and resolves to the table of all calls. The table does not depend on the
 * framework, because it is made of the events that the adapter fired.
 */
export function watchVerdicts(hooks: Hooks): Promise<string> {
  const results = new Map<string, { before?: AggregatedHookResult; hasRun: boolean }>();
  const next = ({ request, response }: EventRecord) => {
    const input = request?.input as { readonly tool_name?: string; readonly tool_input?: Record<string, string> } | undefined;
    if (response?.output === undefined || input?.tool_name === undefined) return;
    const key = keyOf(input.tool_name, input.tool_input);
    const known = results.get(key) ?? { hasRun: false };
    if (request?.eventName === 'BeforeTool') results.set(key, { ...known, before: response.output as AggregatedHookResult });
    if (request?.eventName === 'AfterTool') results.set(key, { ...known, hasRun: true });
  };
  return new Promise((resolve) => {
    const complete = () => resolve(print(steps.flat().map((call) => toRow(call, results.get(keyOf(call.name, call.input))))));
    hooks.events$.subscribe({ next, complete });
  });
}

function toRow({ name, input }: ScriptedCall, found: { before?: AggregatedHookResult; hasRun: boolean } | undefined): Row {
  const { verdict, changes = [] } = found?.before ?? {};
  const deciders = (verdict?.by ?? []).map(nameOf);
  const rewriters = [...new Set(changes.map(({ hookId, path }) => `${nameOf(hookId)} rewrote ${path}`))];
  return {
    call: `${name} ${input['path'] ?? input['command']}`,
    verdict: verdict?.kind ?? 'not asked',
    hooks: [...deciders, ...rewriters].join(', ') || '-',
    tool: found?.hasRun ? 'ran' : 'did not run',
  };
}

/** A call is known by its tool and by the argument that no hook rewrites here. */
function keyOf(name: string, { path, command }: Readonly<Record<string, string>> = {}): string {
  return `${name} ${path ?? command}`;
}

/** The last part of the id of a hook is its name. */
function nameOf(hookId: string): string {
  return hookId.split('/').at(-1) ?? hookId;
}

function print(rows: readonly Row[]): string {
  const lines = [{ call: 'call', verdict: 'verdict', hooks: 'hooks', tool: 'tool' }, ...rows];
  const widthOf = (field: 'call' | 'verdict' | 'hooks') => Math.max(...lines.map((line) => line[field].length)) + 2;
  const [call, verdict, hooks] = [widthOf('call'), widthOf('verdict'), widthOf('hooks')];
  return lines.map((line) => line.call.padEnd(call) + line.verdict.padEnd(verdict) + line.hooks.padEnd(hooks) + line.tool).join('\n');
}
