import { Hook, HookEngine, HookEventType, HookResponse } from '@tenterhook/handlers';

const budget = 1000;
const spent = new Map<string, number>();
const engine = new HookEngine();

// The number of tokens is known only after the call, when it is too late to block.
const countTokens = Hook.new('count-tokens', HookEventType.GenerateEnd);
engine.register(countTokens);
engine.register_handler(countTokens, {
  handle({ payload: { session_id, usage } }) {
    spent.set(session_id, (spent.get(session_id) ?? 0) + usage.total_tokens);
  },
});

// So the limit is checked before the next call.
const keepBudget = Hook.new('keep-budget', HookEventType.GenerateStart).with_config({ priority: 10, onError: 'block' });
engine.register(keepBudget);
engine.register_handler(keepBudget, {
  handle({ payload: { session_id } }) {
    const tokens = spent.get(session_id) ?? 0;
    return tokens < budget ? HookResponse.continue_() : HookResponse.block(`${tokens} of ${budget} tokens are spent.`);
  },
});

for (const session_id of ['s-1', 's-1', 's-1', 's-2']) {
  const prompt = 'Go on.';
  const before = await engine.fire({
    event_type: HookEventType.GenerateStart,
    payload: { session_id, prompt, model_provider: 'acme', model_name: 'm-1', available_tools: [] },
  });
  console.log(`${session_id}: ${before.action === 'Block' ? before.reason : 'the model is called'}`);
  if (before.action !== 'Continue') continue;

  // The model would run here.
  await engine.fire({
    event_type: HookEventType.GenerateEnd,
    payload: {
      session_id,
      prompt,
      response_text: 'Done.',
      tool_calls: [],
      usage: { prompt_tokens: 500, completion_tokens: 100, total_tokens: 600 },
      duration_ms: 900,
    },
  });
}
