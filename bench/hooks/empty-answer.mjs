import { answerEvents } from 'tenterhook/resident';

await answerEvents(() => ({ output: {} }));
