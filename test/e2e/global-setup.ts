import { installClaude } from './claude-package.ts';

export default installClaude;
