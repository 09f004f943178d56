import { useEffect, useState } from 'react';

const SETTLED = 200;

/** A value when it has not changed for a moment: who types or chooses several things is not asked for between them. */
export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), SETTLED);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
};
