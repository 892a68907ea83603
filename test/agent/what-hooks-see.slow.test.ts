import { testRedaction } from './redaction.js';

testRedaction(['openai-chat', 'anthropic']);
