import { type ComponentType, lazy } from 'react';
import { Problem } from '../parts/states.tsx';

type Load<P> = () => Promise<ComponentType<P>>;

const waiting: Load<never>[] = [];

/** A view that is loaded when it is opened, or before that when there is time. */
export const lazyView = <P,>(load: Load<P>): ComponentType<P> => {
  waiting.push(load as Load<never>);
  return lazy(async () => ({ default: await load().catch(inPlaceOf<P>) })) as unknown as ComponentType<P>;
};

/** Loads the other views, so that opening them takes no time; those that can not be had are asked for again when they are opened. */
export const loadTheRest = async (): Promise<void> => {
  for (const load of waiting.splice(0)) {
    await idle();
    await load().catch(() => {});
  }
};

/** Until the browser has nothing better to do; not all browsers tell. */
const idle = (): Promise<unknown> =>
  new Promise((resolve) => ('requestIdleCallback' in window ? window.requestIdleCallback(resolve) : setTimeout(resolve)));

const RELOADED = 'retake-reloaded';
const LATELY = 60_000;

/** The program was updated, or the sign-in is over: the page as the server has it now is right. One that is new already has another problem. */
const inPlaceOf = async <P,>(): Promise<ComponentType<P>> => {
  const failure = (await whyUnserved()) ?? (isNew() ? new Error('This view can not be loaded') : undefined);
  if (failure !== undefined) return () => <Problem error={failure} onRetry={reloadIfServed} />;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
  return new Promise(() => {});
};

const isNew = (): boolean => Date.now() - Number(sessionStorage.getItem(RELOADED)) < LATELY;

/** Without a server, loading the page anew would leave nothing to look at. */
const reloadIfServed = async (): Promise<void> => {
  if ((await whyUnserved()) === undefined) location.reload();
};

const whyUnserved = (): Promise<unknown> =>
  fetch(location.href).then(
    () => undefined,
    (failure) => failure,
  );
