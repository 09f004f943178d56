import { InvalidArgumentError } from 'commander';

/** Reads the value of an option that counts something. */
export const wholeNumber = (text: string): number => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError('expected a whole number from 1 on.');
  return number;
};
