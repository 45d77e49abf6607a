/** Every line of the reliability bar runs small in `npm test` and full in `npm run bar`: the same test, another number. */
export const isFull = process.env.BAR === 'full';

export const size = <Size>({ small, full }: { small: Size; full: Size }): Size => (isFull ? full : small);
