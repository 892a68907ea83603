import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CreateHooksOptions } from 'tenterhook';
import { noOtherHome, type Variables, withEnvironment } from './environment.js';
import { freshDirectory, type Scene, withHooksIn } from './fire-hooks.js';

/** A home directory and a project of their own: the places where settings are discovered. */
export interface Places {
  readonly home: string;
  readonly project: string;
  /** `home/…` or `project/…` as an absolute path. */
  at(path: string): string;
  /** Text as it is, anything else as JSON. Gives the absolute path. */
  write(path: string, content: unknown, mode?: number): string;
  /** What a file holds; undefined if it does not exist. */
  read(path: string): string | undefined;
  /** A system whose settings are those that it finds in these places. */
  discover<Result>(use: (scene: Scene) => Promise<Result>, options?: CreateHooksOptions): Promise<Result>;
}

/** Fresh places while a test uses them. The home is that of our code, of hooks and of Node; nothing of who runs the test is found. */
export async function withPlaces<Result>(
  use: (places: Places) => Promise<Result>,
  environment: (places: Places) => Variables = () => ({}),
): Promise<Result> {
  const root = freshDirectory('places');
  const at = (path: string) => join(root, path);
  const places: Places = {
    home: at('home'),
    project: at('project'),
    at,
    write(path, content, mode = 0o644) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content));
      // Not left to writeFileSync, whose mode the umask cuts.
      chmodSync(at(path), mode);
      return at(path);
    },
    read: (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined),
    discover: (useScene, options = {}) => withHooksIn(at('project'), options, useScene),
  };
  for (const directory of [places.home, places.project]) mkdirSync(directory);
  try {
    return await withEnvironment({ ...noOtherHome, HOME: places.home, ...environment(places) }, () => use(places));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
