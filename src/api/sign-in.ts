import { z } from 'zod';
import { route } from './route.ts';
import { time } from './words.ts';

export const signInRoutes = {
  signIn: route({
    method: 'post',
    path: '/api/sign-in',
    summary: 'Exchange the one-time code of the sign-in link for a cookie',
    tag: 'signing in',
    in: 'server',
    isOpen: true,
    body: z.strictObject({ code: z.string().min(1).max(200) }),
    answer: z.object({ signedIn: z.literal(true), until: time }).meta({ id: 'SignedIn' }),
    errors: [],
  }),
  signOut: route({
    method: 'post',
    path: '/api/sign-out',
    summary: 'Make every cookie and the token void; `retake serve` gives a new link',
    tag: 'signing in',
    in: 'server',
    body: z.strictObject({}),
    answer: z.object({ signedOut: z.literal(true) }).meta({ id: 'SignedOut' }),
    errors: [],
  }),
  openApi: route({
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    tag: 'signing in',
    in: 'server',
    answer: z.looseObject({ openapi: z.string() }),
    errors: [],
  }),
};
