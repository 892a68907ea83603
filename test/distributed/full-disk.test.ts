import { answer, asked, channel, testWithDisk, withSmallDisk } from './small-disk.js';

testWithDisk('while the disk of the server is full, requests are answered, because they are not stored', () =>
  withSmallDisk(async (server, connect) => {
    const [agent, worker] = [await connect(), await connect()];
    worker.respond(channel, () => answer);
    await worker.flush();
    server.fillDisk();
    for (let each = 0; each < 20; each += 1) expect((await agent.request(channel, asked)).error?.message).toBe('the answer');
  }),
);
