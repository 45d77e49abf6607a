/**
 * Tests of the reliability bar run with the small size in `npm test` and the full size in `npm run
 * bar`.
 */
export const isFull = process.env.BAR === 'full';

export const size = <Size>({ small, full }: { small: Size; full: Size }): Size => (isFull ? full : small);
