export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Returns the value that a fraction (0 to 1) of the values do not exceed. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}
