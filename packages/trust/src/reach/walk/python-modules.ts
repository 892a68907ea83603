import { dirname, join } from 'node:path';
import type { Collector } from '../files/collector.js';
import type { PythonImport } from '../languages/python.js';
import { isImportedByLibrary, isPythonModule } from '../languages/python-modules.js';

/** Called with each file of a module that an import may run. */
export type OnModule = (path: string) => void;

/** Endings of files that Python imports. Names of compiled files contain the version: `json.cpython-312-x86_64-linux-gnu.so`. */
const importable = /\.(?:py|pyw|pyc|pyo|pyd|so)$/;

/**
 * Searches an import in the folders that Python searches before its own library. A relative import is searched from the folder of the
 * importing file. Adds the files that exist, and the missing names that Python would find first. Returns true if the module is neither in
 * the project nor part of Python.
 */
export function findPythonImport(
  one: PythonImport,
  roots: readonly string[],
  file: string | undefined,
  to: Collector,
  onModule: OnModule,
): boolean {
  const parts = one.module === '' ? [] : one.module.split('.');
  if (one.level > 0) {
    if (file === undefined) return false;
    let base = dirname(file);
    for (let level = 1; level < one.level; level += 1) base = dirname(base);
    findIn(base, parts, one.names, to, onModule);
    return false;
  }
  const found = roots.map((root) => findIn(root, parts, one.names, to, onModule));
  const name = parts[0] ?? '';
  if (found.includes(true)) {
    to.openFor('Python may run compiled modules of __pycache__ in place of modules of the project. The compiled modules are not hashed.');
    return false;
  }
  if (isPythonModule(name)) return false;
  to.openFor(`The Python module ${JSON.stringify(name)} is neither in the project nor part of Python.`, 'loaded');
  return true;
}

/**
 * Adds files of an import path that have the same name as a module which Python's library imports. Python runs such a file instead of the
 * module of the library. If the program also imports a module from outside of the project, it is unknown which names that module imports.
 * So every module of the folder is added.
 */
export function findShadowingModules(root: string, isElsewhere: boolean, to: Collector, onModule: OnModule): void {
  if (to.project.relative(root) === undefined) return;
  const names = to.project.namesIn(root);
  to.watch(root);
  if (names === undefined) {
    to.openFor(`The folder ${JSON.stringify(to.project.relative(root) ?? root)} has too many entries to look up modules in it.`);
    return;
  }
  for (const name of names) {
    const stem = name.split('.')[0] as string;
    if (!isElsewhere && !isImportedByLibrary(stem)) continue;
    if (importable.test(name)) onModule(join(root, name));
    // A folder without __init__ is a module only if nothing else has its name.
    else if (name === stem && to.project.isFolder(join(root, name))) {
      findIn(join(root, name), ['__init__'], [], to, onModule, false);
    }
  }
}

function findIn(
  folder: string,
  parts: readonly string[],
  names: readonly string[],
  to: Collector,
  onModule: OnModule,
  noteAbsent = true,
): boolean {
  if (to.project.relative(folder) === undefined) return false;
  const [name, ...rest] = parts;
  const listed = to.project.namesIn(folder);
  to.watch(folder);
  if (name === undefined) {
    findIn(folder, ['__init__'], [], to, onModule, false);
    for (const each of names) findIn(folder, [each], [], to, onModule, false);
    return true;
  }
  if (listed === undefined) {
    if (to.project.isFolder(folder))
      to.openFor(`The folder ${JSON.stringify(to.project.relative(folder) ?? folder)} has too many entries to look up modules in it.`);
    return false;
  }
  let isFound = false;
  for (const each of listed) {
    if (!each.startsWith(`${name}.`) || !importable.test(each)) continue;
    isFound = true;
    onModule(join(folder, each));
  }
  const inner = join(folder, name);
  const isFolder = to.project.isFolder(inner) || isLinkedFolder(inner, to);
  if (isFolder) {
    if (rest.length > 0) findIn(inner, ['__init__'], [], to, onModule, false);
    findIn(inner, rest, names, to, onModule);
  }
  if (noteAbsent) {
    if (!listed.has(`${name}.py`)) to.addAbsent(join(folder, `${name}.py`));
    if (!listed.has(name)) to.addAbsent(inner);
  }
  return isFound || isFolder;
}

/** Tests whether a link leads to a folder, and adds the link. */
function isLinkedFolder(path: string, to: Collector): boolean {
  const place = to.locate(path);
  if (place === undefined || place.links.length === 0 || place.stats?.isDirectory() !== true) return false;
  to.addLinks(place);
  return true;
}
