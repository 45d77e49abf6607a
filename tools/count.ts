/** Returns the number with its noun, such as '1 order' and '2 orders'. */
export const count = (number: number, one: string, several: string): string => (number === 1 ? `1 ${one}` : `${number} ${several}`);
