/** Throws if a condition that our own code guarantees is false. Never use it to validate input. */
export function invariant(condition: unknown, promise: string): asserts condition {
  if (!condition) throw new Error(`Broken promise: ${promise}`);
}
