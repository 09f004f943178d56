import { testHistories } from './histories.ts';
import { JournalTier } from './tiers.ts';

testHistories('journal', (directory, seen) => new JournalTier(directory, seen));
