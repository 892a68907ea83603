import { run, setTraceProcessors, setTracingDisabled, shellTool, type TracingProcessor, withTrace } from '@openai/agents';
import type { HookOutput } from '@tenterhook/protocol';
import { withFunctions } from '../../../test/support/function-hooks.js';
import { assistantMessage, callingModel, hookedAgent, recordingTool, scripted } from './scene.js';

const redacts = () => ({ hookSpecificOutput: { hookEventName: 'AfterTool', updatedToolOutput: 'gone' } }) as HookOutput;

test('O3 what a hook replaced is not in the data of the provider that a shell returned', async () => {
  await withFunctions({ AfterTool: [redacts] }, async ({ client }) => {
    const output = [{ stdout: 'key opensesame', stderr: '', outcome: { type: 'exit' as const, exitCode: 0 } }];
    const shell = shellTool({ shell: { run: async () => ({ output, providerData: { raw: 'key opensesame' } }) } });
    const call = { type: 'shell_call' as const, callId: 's1', status: 'completed' as const, action: { commands: ['ls'] } };
    const model = scripted([call], [assistantMessage('done')]);
    const result = await run(hookedAgent(client, model, [shell]), 'go');
    const everywhere = JSON.stringify([result.newItems, result.history, result.state, model.lastCall?.request.input]);
    expect(everywhere).toContain('gone');
    expect(everywhere).not.toContain('opensesame');
  });
});

test('O3 what a hook replaced is in no span, also if it was an error of the tool', async () => {
  const spans: unknown[] = [];
  const ignore = async () => {};
  const processor: TracingProcessor = {
    onTraceStart: ignore,
    onTraceEnd: ignore,
    onSpanStart: ignore,
    onSpanEnd: async (span) => void spans.push(span.toJSON()),
    shutdown: ignore,
    forceFlush: ignore,
  };
  setTraceProcessors([processor]);
  setTracingDisabled(false);
  try {
    await withFunctions({ AfterTool: [redacts] }, async ({ client }) => {
      const errorFunction = (_: unknown, error: Error) => `failed: ${error.message}`;
      const failing = recordingTool('failing', new Error('key opensesame'), { errorFunction });
      const working = recordingTool('working', 'key opensesame');
      const model = callingModel(['failing', { path: 'a' }, 'c1'], ['working', { path: 'a' }, 'c2']);
      await withTrace('redaction', () => run(hookedAgent(client, model, [failing.tool, working.tool]), 'go'));
      expect(JSON.stringify(spans)).toContain('gone');
      expect(JSON.stringify(spans)).not.toContain('opensesame');
    });
  } finally {
    setTracingDisabled(true);
    setTraceProcessors([]);
  }
});
