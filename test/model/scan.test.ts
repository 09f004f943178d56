import { testHistories } from './histories.ts';
import { ScanTier } from './tiers.ts';

testHistories('scan', (directory) => new ScanTier(directory));
