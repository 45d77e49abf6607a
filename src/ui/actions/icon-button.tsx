import type { ComponentPropsWithRef, ReactNode } from 'react';

export type IconButtonProps = Omit<ComponentPropsWithRef<'button'>, 'className' | 'style' | 'children' | 'aria-label'> & {
  label: string;
  icon: ReactNode;
};

/** A round 44 px button with an icon. Its label is for assistive technology only. */
export function IconButton({ label, icon, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className="grid size-11 shrink-0 place-items-center rounded-full transition-colors hover:bg-current/10 disabled:opacity-45"
    >
      {icon}
    </button>
  );
}
