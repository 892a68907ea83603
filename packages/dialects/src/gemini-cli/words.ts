import { answerWords } from '../shared/output/answer-keywords.js';

/** What tells an answer of Gemini CLI's hooks from other text. */
export const words = answerWords({
  decisions: [['decision'], ['hookSpecificOutput', 'permissionDecision']],
  values: ['deny', 'block', 'ask', 'allow', 'approve'],
  ownFields: ['hookSpecificOutput'],
});
