import type { ReactNode } from 'react';
import { classes } from '../classes.ts';

const shapes = {
  line: 'h-4 rounded-full',
  title: 'h-7 w-2/5 rounded-full',
  field: 'h-13 rounded-field',
  block: 'h-24 rounded-card',
  order: 'h-44 rounded-card',
  card: 'h-56 rounded-card',
  recent: 'h-64 rounded-card sm:h-57',
  circle: 'size-12 rounded-full',
} as const;

export type SkeletonShape = keyof typeof shapes;

/** One grey placeholder. Screen readers get the label of the SkeletonGroup around it instead. */
export function Skeleton({ shape, short = false }: { shape: SkeletonShape; short?: boolean }) {
  return <div className={classes('skeleton', shapes[shape], short && 'w-3/5')} />;
}

/** Announces once that content is loading and shows its placeholders. */
export function SkeletonGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <output className="sr-only">{label}</output>
      <div aria-hidden="true" className="space-y-3">
        {children}
      </div>
    </div>
  );
}
