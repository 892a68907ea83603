/** Exports the agent for the stories of other examples. */
export { runStory } from './run-story.js';
export { reply } from './story.js';

export type { Seen, Story } from './story.js';
