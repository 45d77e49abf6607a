import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/**
 * WCAG 2.2 requires 4.5 for text (1.4.3) and 3 for the edges of controls and meaningful graphics
 * (1.4.11).
 */
const TEXT_RATIO = 4.5;
const SHAPE_RATIO = 3;

const source = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');

function colorsOf(css: string): Map<string, string> {
  return new Map(Array.from(css.matchAll(/--color-([\w-]+):\s*(#[0-9a-f]{6});/g), ([, name = '', hex = '']) => [name, hex]));
}

const [lightSource = '', darkSource = ''] = source.split('@media screen and (prefers-color-scheme: dark)');
const light = colorsOf(lightSource);
const dark = colorsOf(darkSource);

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Every pair of foreground and background in a component. */
const textPairs: Record<string, readonly string[]> = {
  ink: ['linen', 'surface', 'sunk', 'accent-soft', 'good-soft', 'warn-soft', 'bad-soft'],
  'ink-soft': ['linen', 'surface', 'sunk', 'accent-soft'],
  'accent-ink': ['linen', 'surface', 'sunk', 'accent-soft'],
  'on-accent': ['accent', 'accent-strong'],
  'on-bad': ['bad', 'bad-strong'],
  'bad-ink': ['linen', 'surface', 'bad-soft'],
  good: ['linen', 'surface', 'good-soft'],
  warn: ['surface', 'warn-soft'],
  coal: ['snow'],
};

const shapePairs: Record<string, readonly string[]> = {
  edge: ['linen', 'surface', 'sunk', 'accent-soft', 'snow', 'coal'],
  accent: ['linen', 'surface'],
  'accent-ink': ['linen', 'surface', 'sunk', 'accent-soft'],
  bad: ['linen', 'surface'],
  star: ['linen', 'surface', 'sunk'],
};

const cases = [
  ...Object.entries(textPairs).map(([front, backs]) => ({ front, backs, minimum: TEXT_RATIO })),
  ...Object.entries(shapePairs).map(([front, backs]) => ({ front, backs, minimum: SHAPE_RATIO })),
].flatMap(({ front, backs, minimum }) => backs.map((back) => ({ front, back, minimum })));

test('calculates the contrast ratio as WCAG defines it', () => {
  expect(contrast('#ffffff', '#000000')).toBe(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('the dark scheme defines every colour of the light scheme', () => {
  expect(light.size).toBeGreaterThan(20);
  expect([...dark.keys()].toSorted()).toEqual([...light.keys()].toSorted());
});

describe.each([
  { scheme: 'light', colors: light },
  { scheme: 'dark', colors: dark },
])('$scheme', ({ colors }) => {
  test.each(cases)('$front on $back has a contrast of at least $minimum', ({ front, back, minimum }) => {
    const [one, other] = [colors.get(front), colors.get(back)];
    if (!one || !other) throw new Error(`theme.css has no --color-${one ? back : front}`);
    expect(contrast(one, other)).toBeGreaterThanOrEqual(minimum);
  });
});
