/** The fixed id for a number. Generated records refer to each other by small numbers, so that many relations resolve. */
export const idOf = (number: number): string => `01990000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
