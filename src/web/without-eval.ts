import { z } from 'zod';

/** Schemas would be compiled where that is allowed. Our policy refuses it, and a browser tells of every refusal: they are not to try. */
z.config({ jitless: true });
