import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { buttonLook, type ButtonSize, type ButtonVariant } from './button-styles.ts';
import { SpinnerRing } from '../feedback/spinner-ring.tsx';

type Look = { variant: ButtonVariant; size?: ButtonSize; wide?: boolean; icon?: ReactNode };

export type ButtonProps = Look & Omit<ComponentPropsWithRef<'button'>, 'className' | 'style'> & { pending?: boolean };

/**
 * While `pending` the button keeps its name, its place and the focus, shows a spinner and does nothing when pressed:
 * `disabled` would throw the focus of a keyboard user back to the top of the page.
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
      className={buttonLook(variant, size, wide)}
    >
      {pending ? <SpinnerRing /> : icon}
      {children}
    </button>
  );
}

/** The button that sends a form. `pending` is required: a form that can be sent twice is a fault. */
export function SubmitButton(props: Omit<ButtonProps, 'type' | 'pending'> & { pending: boolean }) {
  return <Button {...props} type="submit" />;
}
