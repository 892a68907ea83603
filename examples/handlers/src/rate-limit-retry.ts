import { setTimeout as pause } from 'node:timers/promises';
import { Hook, HookEngine, HookEventType, HookResponse } from '@tenterhook/handlers';

/** Simulates the limits of a provider: how often it refuses before it accepts a call again. */
let refusals = 0;
const isRateLimited = () => refusals-- > 0;

async function generate(maxRetries: number): Promise<void> {
  const engine = new HookEngine();
  const hook = Hook.new('rate-limit-retry', HookEventType.GenerateStart).with_config({ max_retries: maxRetries });
  engine.register(hook);
  engine.register_handler(hook, {
    handle() {
      const isLimited = isRateLimited();
      console.log(isLimited ? '  asked: no room, again in 20 ms' : '  asked: there is room');
      return isLimited ? HookResponse.retry(20) : HookResponse.continue_();
    },
  });

  for (;;) {
    const result = await engine.fire({
      event_type: HookEventType.GenerateStart,
      payload: { session_id: 's-1', prompt: 'Go on.', model_provider: 'acme', model_name: 'm-1', available_tools: [] },
    });
    console.log(`  fire answered ${result.action}`);
    if (result.action !== 'Retry') return;
    // The caller waits, and tries the whole operation again.
    await pause(result.retry_delay_ms);
  }
}

console.log('max_retries: 2, the engine waits');
refusals = 2;
await generate(2);

console.log('max_retries: 0, the caller waits');
refusals = 1;
await generate(0);
