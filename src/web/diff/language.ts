/** Which grammar a file is coloured by: lowlight's own names, by the ending or the whole name of the file. */
const BY_ENDING: Readonly<Record<string, readonly string[]>> = {
  arduino: ['ino'],
  bash: ['sh', 'bash', 'zsh', 'ksh', 'bats', 'env'],
  c: ['c', 'h'],
  cpp: ['cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx', 'ipp', 'cu'],
  csharp: ['cs', 'csx'],
  css: ['css', 'pcss'],
  diff: ['diff', 'patch'],
  go: ['go'],
  graphql: ['graphql', 'gql'],
  ini: ['ini', 'toml', 'cfg', 'conf', 'editorconfig', 'gitconfig', 'properties', 'service'],
  java: ['java'],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  json: ['json', 'jsonc', 'json5', 'jsonl', 'webmanifest', 'ipynb', 'map'],
  kotlin: ['kt', 'kts'],
  less: ['less'],
  lua: ['lua'],
  makefile: ['mk', 'mak'],
  markdown: ['md', 'mdx', 'markdown'],
  objectivec: ['m', 'mm'],
  perl: ['pl', 'pm', 'pod'],
  php: ['php', 'phtml'],
  python: ['py', 'pyi', 'pyw', 'bzl'],
  r: ['r', 'rmd'],
  ruby: ['rb', 'rake', 'gemspec', 'podspec'],
  rust: ['rs'],
  scss: ['scss'],
  sql: ['sql'],
  swift: ['swift'],
  typescript: ['ts', 'mts', 'cts', 'tsx'],
  vbnet: ['vb'],
  wasm: ['wat', 'wast'],
  xml: ['xml', 'html', 'htm', 'xhtml', 'svg', 'vue', 'svelte', 'astro', 'plist', 'xsl', 'xsd', 'rss', 'csproj', 'resx'],
  yaml: ['yml', 'yaml'],
};

const BY_NAME: Readonly<Record<string, string>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  podfile: 'ruby',
  '.bashrc': 'bash',
  '.zshrc': 'bash',
  '.profile': 'bash',
  '.env': 'bash',
  '.gitconfig': 'ini',
  '.npmrc': 'ini',
  'cargo.lock': 'ini',
  '.babelrc': 'json',
  '.eslintrc': 'json',
  '.prettierrc': 'json',
  build: 'python',
  workspace: 'python',
};

const endings = new Map(Object.entries(BY_ENDING).flatMap(([language, own]) => own.map((ending) => [ending, language] as const)));

/** Undefined for what is shown without colours. */
export const languageOf = (path: string): string | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  return Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : dot < 0 ? undefined : endings.get(name.slice(dot + 1));
};

const PICTURES = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'ico', 'svg']);

/** Whether a browser can show it as a picture. */
export const isPicture = (path: string): boolean => PICTURES.has(/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '');
