import { keeping, withHandlers } from './engine-scene.js';

/** Arguments whose secret lies deeper than what is copied in one go. */
function argsWith(secret: string, depth: number): Record<string, unknown> {
  let args: Record<string, unknown> = { secret };
  for (let each = 0; each < depth; each += 1) args = { args };
  return args;
}

function innermost(args: Record<string, unknown>): Record<string, unknown> {
  let inner = args;
  while (inner['args'] !== undefined) inner = inner['args'] as Record<string, unknown>;
  return inner;
}

test.each([1, 250, 3000])(
  'an audit handler that redacts its copy, %d deep, blinds neither the guard behind it nor a command hook',
  async (depth) => {
    const audit = ({ payload }: { payload: { args: Record<string, unknown> } }) => {
      innermost(payload.args)['secret'] = '***';
    };
    const guard = keeping();
    const settings = {
      hooks: { BeforeTool: [{ hooks: [{ name: 'grep', command: 'grep -q hunter2 && { echo secret >&2; exit 2; }; true' }] }] },
    };
    await withHandlers(
      { audit: ['pre_tool_use', audit, { config: { priority: 1 } }], guard: ['pre_tool_use', guard.handle] },
      async ({ handler }) => {
        const input = argsWith('hunter2', depth);
        const { verdict, outcomes } = await handler.fireBeforeToolEvent('Bash', input);
        expect(outcomes.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'blocked']);
        expect(verdict).toMatchObject({ kind: 'deny', reason: 'secret' });
        expect(innermost(guard.payloads[0].args)).toEqual({ secret: 'hunter2' });
        expect(innermost(input)).toEqual({ secret: 'hunter2' });
      },
      { settings },
    );
  },
);
