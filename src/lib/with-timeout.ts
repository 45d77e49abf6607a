/**
 * Returns the result of `work`. Throws the error of `createError` if it takes longer than `ms`. The
 * work is not interrupted, and its later result or error is ignored.
 */
export function withTimeout<Result>(work: Promise<Result>, ms: number, createError: () => Error): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createError()), ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
