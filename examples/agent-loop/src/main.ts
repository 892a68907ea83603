import { runStory } from './run-story.js';
import { weatherStation } from './weather-station.js';

await runStory(weatherStation, process.argv.slice(2));
