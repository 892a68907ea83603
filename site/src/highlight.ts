import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';

// Shiki was rejected: it colours with styles in attributes, which the policy of the site forbids. highlight.js writes classes.
const languages = { bash, c, dockerfile, ini, javascript, json, markdown, python, typescript, yaml };
for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** Languages of code blocks and endings of files that have another name in highlight.js. */
const otherNames: Readonly<Record<string, keyof typeof languages>> = {
  cjs: 'javascript',
  Containerfile: 'dockerfile',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  py: 'python',
  service: 'ini',
  sh: 'bash',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
};

/** Returns code as HTML, with classes for its parts. A language that is not known is escaped text. */
export function highlight(code: string, language: string): string {
  const name = otherNames[language] ?? language;
  return name in languages ? highlighter.highlight(code, { language: name, ignoreIllegals: true }).value : escapeHtml(code);
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
