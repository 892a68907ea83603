import { testRedaction } from './redaction.js';

testRedaction(['openai-chat', 'openai-responses', 'anthropic']);
