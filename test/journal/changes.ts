import { put } from '../support/scene.ts';
import { temporaryDirectory } from '../support/temporary.ts';

/** A project of several directories, some of them ignored. */
export const project = (): string => {
  const root = temporaryDirectory();
  put(root, 'src/a/one.txt', 'one');
  put(root, 'src/a/deep/two.txt', 'two');
  put(root, 'src/b/three.txt', 'three');
  put(root, 'other/four.txt', 'four');
  put(root, '.gitignore', 'node_modules/\n*.log\n');
  put(root, 'node_modules/x/y/index.js', 'ignored');
  return root;
};

/** Each is what another process does between two looks. */
export const CHANGES: Readonly<Record<string, string>> = {
  'a file is edited': 'echo more >> src/a/one.txt',
  'a file is edited without a change of size': 'printf ONE > src/a/one.txt',
  'a file is replaced as editors do it': 'printf new > src/a/.tmp; mv src/a/.tmp src/a/one.txt',
  'permissions of a file change': 'chmod 600 src/a/one.txt',
  'permissions of a directory change': 'chmod 700 src/a',
  'a file goes': 'rm src/a/one.txt',
  'a new file in a new directory in a new directory': 'mkdir -p new/er/est; echo x > new/er/est/file',
  'a directory is renamed': 'mv src/a src/c',
  'a directory is renamed and its place taken': 'mv src/a src/c; mkdir src/a; echo other > src/a/one.txt',
  'two directories change places': 'mv src/a src/t; mv src/b src/a; mv src/t src/b',
  'a directory is renamed and changed afterwards': 'mv src/a src/c; echo after >> src/c/deep/two.txt',
  'a directory moves below another': 'mv other src/a/deep/',
  'a directory leaves the workspace and another comes': 'mv src/a "$OUTSIDE/left"; mv "$OUTSIDE/comes" src/a',
  'a directory becomes a link': 'rm -r src/a; ln -s "$OUTSIDE/comes" src/a',
  'a link becomes a directory': 'ln -s b src/l; rm src/l; mkdir src/l; echo x > src/l/f',
  'a file becomes a directory and the other way round': 'rm src/a/one.txt; mkdir src/a/one.txt; rm -r src/b; echo x > src/b',
  'an empty directory': 'mkdir src/empty',
  'rules come to ignore what was captured': 'echo "src/a/" >> .gitignore',
  'rules no longer ignore what was not captured': 'echo "" > .gitignore',
  'rules in a directory below': 'echo "one.txt" > src/a/.gitignore',
  'names that are not text': "printf x > $'src/a/\\xff\\xfe'; printf x > $'src/a/new\\nline'",
  'the directory of one name is deleted and made again at once': 'rm -r src/a/deep; mkdir src/a/deep; echo again > src/a/deep/two.txt',
};
