/** Far longer than any case takes, on any machine: whatever is not over by then never will be. */
const minutes = 5;

/** Waits for a case that may never end: a promise that an adapter forgets would otherwise end the process without a word. */
export async function patient<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not over after ${minutes} minutes`)), minutes * 60_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
