/** A fixed id for a number: generated records name each other by small numbers, so that relations are often met. */
export const idOf = (number: number): string => `01990000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
