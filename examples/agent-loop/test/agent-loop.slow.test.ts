import { example, Place } from './example-run.js';

let place: Place;

beforeEach(() => {
  place = new Place();
});

afterEach(() => place.remove());

test('Ctrl-C ends it at once, with an end of the session, and leaves nothing behind', async () => {
  const { child, ended } = place.start([example]);
  // By then the workspace exists, and a hook of the next event is about to run.
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  child.kill('SIGINT');
  const { status, stdout, stderr } = await ended;
  expect({ status, stderr }).toEqual({ status: 130, stderr: '' });
  expect(stdout).toContain('close-books');
  expect(stdout).not.toContain('\nPrompts\n');
  expect(place.leftovers()).toEqual([]);
});

test('a reader that has seen enough ends it, too', async () => {
  const { child, ended } = place.start([example]);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  child.stdout?.destroy();
  expect((await ended).stderr).toBe('');
  expect(place.leftovers()).toEqual([]);
});
