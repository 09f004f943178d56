import type { Row } from './report.ts';
import type { Repositories } from './repositories.ts';
import type { Workshop } from './workshop.ts';

/** How much is measured. */
export interface Plan {
  readonly sizes: readonly number[];
  /** Of quick measurements; slow ones take fewer. */
  readonly rounds: number;
  readonly slowRounds: number;
  /** An agent's conversations. */
  readonly sessions: number;
  /** For packing: files in the workspace, and checkpoints made of it. */
  readonly history: { readonly files: number; readonly checkpoints: number };
  /** The same for a store that was used for long. */
  readonly longHistory: { readonly files: number; readonly checkpoints: number };
  /** Of agents, recorded by one daemon. */
  readonly events: number;
  /** For the HTTP interface: checkpoints of a session, files that differ, and listeners to events; sessions as above. */
  readonly http: { readonly checkpoints: number; readonly files: number; readonly listeners: number };
  /** For a year of work: sessions, and what the store may take. */
  readonly year: { readonly sessions: number; readonly bytes: number };
}

export const FULL: Plan = {
  sizes: [10_000, 100_000],
  rounds: 9,
  slowRounds: 3,
  sessions: 1000,
  history: { files: 1000, checkpoints: 1000 },
  longHistory: { files: 1000, checkpoints: 10_000 },
  year: { sessions: 5000, bytes: 60_000_000 },
  events: 20_000,
  http: { checkpoints: 10_000, files: 1000, listeners: 100 },
};

/** To see that the bench works: sizes are below those that the bars are about. */
export const QUICK: Plan = {
  sizes: [1000, 5000],
  rounds: 3,
  slowRounds: 2,
  sessions: 50,
  history: { files: 200, checkpoints: 60 },
  longHistory: { files: 200, checkpoints: 120 },
  year: { sessions: 100, bytes: 20_000_000 },
  events: 500,
  http: { checkpoints: 200, files: 100, listeners: 10 },
};

export interface Bench {
  readonly workshop: Workshop;
  readonly repositories: Repositories;
  readonly plan: Plan;
}

/** One measurement: its rule in the specification's table PRF, and its rows. */
export interface Measurement {
  readonly rule: string;
  readonly measure: (bench: Bench) => Promise<Row[]>;
}

export const largest = ({ sizes }: Plan): number => Math.max(...sizes);

export const describeSize = (files: number): string => `${files.toLocaleString('en')} files`;
