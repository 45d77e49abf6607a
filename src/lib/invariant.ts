/** Stops the program's current piece of work when something that our own code promises does not hold. Never for input. */
export function invariant(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`Broken promise: ${promise}`);
}
