/** Recorded in this workspace, not imported into it. */
export const OWN = 'line IS NULL';

export const quote = (word: string): string => `'${word}'`;

/** A prompt that begins a turn: not words that were typed while the agent worked. */
export const TURN = "kind = 'prompt' AND body -> '$.event.added' IS NULL";

/** The end of a step that can have changed something, as `isStep` of the timeline tells it: the one meaning of "step" wherever steps are counted. */
export const STEP = `(kind = 'after-step' OR (kind = 'turn-end' AND body -> '$.event.beside' IS NOT NULL))
  AND json_array_length(body, '$.event.touches') IS NOT 0`;
