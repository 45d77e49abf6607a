/**
 * How long a control that has just appeared below a finger ignores taps. Longer than the pause of a
 * double tap.
 */
export const SETTLING_MS = 1000;
