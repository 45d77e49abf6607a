import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type RefObject } from 'react';
import { SETTLING_MS } from '../../staff/desk/settling.ts';

/** The scrollbar that a dialog hides moves a page by less. */
const TOLERANCE_PX = 24;

type Place = readonly [x: number, y: number];

const placeOf = (element: Element): Place => {
  const { left, top } = element.getBoundingClientRect();
  return [left + window.scrollX, top + window.scrollY];
};

const isElsewhere = (before: Place | undefined, [x, y]: Place) =>
  before === undefined || Math.abs(before[0] - x) > TOLERANCE_PX || Math.abs(before[1] - y) > TOLERANCE_PX;

/**
 * Returns the keys of the rows that came to their place less than a second ago: a second tap on the
 * place of a row that left must not act on the row that follows it. `list` contains the elements
 * of the rows, which have `settlingRow`. The caller renders when the rows change.
 */
export function useSettlingRows(list: RefObject<HTMLElement | null>, keys: readonly string[]): ReadonlySet<string> {
  const places = useRef<ReadonlyMap<string, Place>>(new Map());
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const [settling, setSettling] = useState<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => {
    const before = places.current;
    const rows = [...(list.current?.querySelectorAll('[data-row]') ?? [])];
    const elements = new Map(rows.map((row) => [row.getAttribute('data-row') ?? '', row]));
    places.current = new Map(
      keys.flatMap((key) => {
        const row = elements.get(key);
        return row ? [[key, placeOf(row)]] : [];
      }),
    );
    if (before.size === 0) return;
    const moved = [...places.current].filter(([key, place]) => isElsewhere(before.get(key), place)).map(([key]) => key);
    if (moved.length === 0) return;
    setSettling((current) => new Set([...current, ...moved]));
    for (const key of moved) {
      clearTimeout(timers.current.get(key));
      const settle = () => setSettling((current) => new Set([...current].filter((other) => other !== key)));
      timers.current.set(key, setTimeout(settle, SETTLING_MS));
    }
  }, [list, keys]);
  useEffect(() => {
    const started = timers.current;
    return () => started.forEach(clearTimeout);
  }, []);
  return settling;
}

/** The properties of the group with the buttons of a row. While it settles, they ignore clicks. */
export const settlingRow = (key: string, isSettling: boolean) => ({
  role: 'group',
  'data-row': key,
  'aria-disabled': isSettling || undefined,
  onClickCapture(event: MouseEvent) {
    if (isSettling) event.stopPropagation();
  },
});
