import { Button } from '../parts/button.tsx';
import { count, shortId, visible } from '../parts/words.ts';
import type { Fork } from './fork-tree.ts';
import classes from './lost-forks.module.css';
import { codeWords } from './tree-items.tsx';
import { useForkPlans } from './use-fork-plans.ts';

/** Forks whose conversation is gone: their code is still there. */
export const LostForks = ({ forks, session }: { forks: readonly Fork[]; session: string }) => {
  const { backTo } = useForkPlans();
  return (
    <section className={classes.lost} aria-label="Forks of conversations that are gone">
      <h2>Forks whose conversation is gone</h2>
      <ul>
        {forks.map((fork) => (
          <li key={fork.children.join(' ')} className={classes.fork}>
            <span>
              {fork.at === null ? 'At the beginning' : `After message ${shortId(visible(fork.at))}`}: {count(fork.children.length, 'way')},{' '}
              {codeWords(fork)}
            </span>
            {fork.checkpoint !== null && (
              <Button isSmall icon="back" onClick={() => backTo(fork, fork.sessions[0] ?? session, 'code')}>
                Roll back to it
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
};
