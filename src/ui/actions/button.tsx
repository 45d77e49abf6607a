import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { buttonStyles, type ButtonSize, type ButtonVariant } from './button-styles.ts';
import { SpinnerRing } from './spinner-ring.tsx';

type ButtonStyleProps = { variant: ButtonVariant; size?: ButtonSize; wide?: boolean; icon?: ReactNode };

export type ButtonProps = ButtonStyleProps & Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> & { pending?: boolean };

/**
 * While `pending`, the button keeps its label and the focus, shows a spinner and ignores clicks.
 * `disabled` would move the focus of a keyboard user to the top of the page.
 */
export function Button({ variant, size, wide, icon, pending = false, type = 'button', onClick, children, ...rest }: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={type}
      onClick={press}
      aria-busy={pending || undefined}
      aria-disabled={pending || undefined}
      className={buttonStyles(variant, size, wide)}
    >
      {pending ? <SpinnerRing /> : icon}
      {children}
    </button>
  );
}

/** Submits a form. `pending` is required, so that no form can be submitted twice. */
export function SubmitButton(props: Omit<ButtonProps, 'type' | 'pending'> & { pending: boolean }) {
  return <Button {...props} type="submit" />;
}
