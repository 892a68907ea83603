import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CreateHooksOptions } from 'tenterhook';
import { noOtherHome, type Variables, withEnvironment } from './environment.js';
import { freshDirectory, type Scene, withHooksIn } from './fire-hooks.js';

/** A home directory and a project in which settings are discovered. */
export interface Places {
  readonly home: string;
  readonly project: string;
  /** Returns the absolute path of `home/…` or `project/…`. */
  at(path: string): string;
  /** Writes a file: text unchanged, anything else as JSON. Returns the absolute path. */
  write(path: string, content: unknown, mode?: number): string;
  /** Creates a symbolic link. Returns the absolute path. */
  link(path: string, target: string): string;
  /** Returns the content of a file; undefined if it does not exist. */
  read(path: string): string | undefined;
  /** Returns the names in a directory. */
  list(path: string): string[];
  /** Creates a system with the settings that it finds in these places. Unless the options say otherwise, it trusts all of them. */
  discover<Result>(use: (scene: Scene) => Promise<Result>, options?: CreateHooksOptions): Promise<Result>;
}

/**
 * Creates fresh places for the time of a test. The home directory applies to our code, to hooks and to Node; no settings of the user who
 * runs the test are found.
 */
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
      // Set separately, because the umask changes the mode of writeFileSync.
      chmodSync(at(path), mode);
      return at(path);
    },
    link(path, target) {
      mkdirSync(dirname(at(path)), { recursive: true });
      symlinkSync(target, at(path));
      return at(path);
    },
    read: (path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined),
    list: (path) => readdirSync(at(path)),
    discover: (useScene, options = {}) => withHooksIn(at('project'), options, useScene),
  };
  for (const directory of [places.home, places.project]) mkdirSync(directory);
  try {
    return await withEnvironment({ ...noOtherHome, HOME: places.home, ...environment(places) }, () => use(places));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
