import type { Checkpoint } from '../client/types.ts';
import { Badge } from '../parts/badge.tsx';

/** Marks a place where the conversation was continued in several ways. */
export const ForkBadge = ({ point }: { point: Checkpoint['forkPoint'] }) =>
  point === null ? null : (
    <Badge tone="info" title={`The conversation was continued from here in ${point.ways} ways`}>
      fork, {point.ways} ways
    </Badge>
  );
