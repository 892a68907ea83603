import fc from 'fast-check';
import { pathVariants } from '../src/path-variants.js';

const table: Record<string, [path: string, workingDirectory: string, variants: string[]]> = {
  'a relative path is also absolute': ['src/a.ts', '/srv/app', ['src/a.ts', '/srv/app/src/a.ts']],
  'an absolute path inside is also relative': ['/srv/app/src/a.ts', '/srv/app', ['/srv/app/src/a.ts', 'src/a.ts']],
  'an absolute path outside stays alone': ['/etc/passwd', '/srv/app', ['/etc/passwd']],
  'a sibling whose name begins alike is outside': ['/srv/app2/a', '/srv/app', ['/srv/app2/a']],
  'dots and double slashes are resolved': ['./src//x/../a.ts', '/srv/app', ['./src//x/../a.ts', 'src/a.ts', '/srv/app/src/a.ts']],
  'a way out and in again ends inside': ['../app/a.ts', '/srv/app', ['../app/a.ts', '/srv/app/a.ts', 'a.ts']],
  'a way out ends outside': ['src/../../x', '/srv/app', ['src/../../x', '../x', '/srv/x']],
  'a way out of two directories keeps both steps': ['../../x', '/srv/app', ['../../x', '/x']],
  'a hidden way out of an absolute path is seen': ['/srv/app/../x', '/srv/app', ['/srv/app/../x', '/srv/x']],
  'above the root is the root': ['/../../a', '/srv', ['/../../a', '/a']],
  'a slash at the end goes away': ['src/', '/srv/app', ['src/', 'src', '/srv/app/src']],
  'the working directory itself is a dot': ['/srv/app', '/srv/app', ['/srv/app', '.']],
  'a dot is the working directory': ['.', '/srv/app', ['.', '/srv/app']],
  'the working directory is normalised too': ['/srv/app/a', '/srv//x/../app/', ['/srv/app/a', 'a']],
  'the root contains everything': ['/etc/passwd', '/', ['/etc/passwd', 'etc/passwd']],
  'a relative working directory anchors nothing': ['./a', 'app', ['./a', 'a']],
  'without a working directory an absolute path is only normalised': ['/a/./b', '', ['/a/./b', '/a/b']],
  'names that only begin with dots are names': ['..a/.../.b', '/w', ['..a/.../.b', '/w/..a/.../.b']],
  'a backslash is a character': ['a\\b', '/w', ['a\\b', '/w/a\\b']],
  'an empty path names nothing': ['', '/srv/app', ['']],
};

test.each(Object.entries(table))('%s', (_, [path, workingDirectory, variants]) => {
  expect(pathVariants(path, workingDirectory)).toEqual(variants);
});

const paths = fc.array(fc.constantFrom('a', 'b', '..', '.', '/', '//'), { maxLength: 10 }).map((parts) => parts.join(''));

test('the path as given comes first, and nothing comes twice', () => {
  fc.assert(
    fc.property(paths, paths, (path, workingDirectory) => {
      const variants = pathVariants(path, workingDirectory);
      expect(variants[0]).toBe(path);
      expect(new Set(variants).size).toBe(variants.length);
    }),
  );
});

test('spelling a relative path from the working directory or in full ends at the same file', () => {
  fc.assert(
    fc.property(paths, (path) => {
      const resolved = pathVariants(`/w/d/${path}`, 'nowhere').at(-1);
      expect(pathVariants(`./${path}`, '/w/d')).toContain(resolved);
    }),
  );
});
