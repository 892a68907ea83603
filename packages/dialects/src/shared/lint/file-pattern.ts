/** Extensions of files that hooks are written for. Others may be parts of a tool's name: servers have tools such as `page.get`. */
const extensions =
  'bash|cc|cfg|cjs|conf|cpp|cs|css|csv|env|go|hpp|html|ini|ipynb|java|js|json|jsonc|jsx|key|kt|less|lock|lua|md|mjs|pem|php|pl|proto|ps1|py|rb|rs|scala|scss|sh|sql|svelte|swift|tf|toml|ts|tsx|txt|vue|xml|ya?ml|zig';

const suffix = new RegExp(String.raw`(?:[*\w)\]]|^)\\?\.(?:(?:${extensions})\??|\((?:${extensions}|\|)+\)|\{(?:${extensions}|,)+\})\$?$`, 'i');

/** Whether a matcher of tools looks as if it were meant for paths of files: `src/**`, `*.ts`, `\.py$`. */
export function looksLikeFiles(text: string): boolean {
  return /^\*+[./]|[\w*.]\/|\/[\w*.]|\*\*/.test(text) || suffix.test(text);
}
