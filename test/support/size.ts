/** True in `npm run bar`, which runs the fault and attack tests at full size (docs/security.md). */
export const isFull = process.env.TEST_SIZE === 'full';

export const size = <Size>({ small, full }: { small: Size; full: Size }): Size => (isFull ? full : small);
