import { Glyph, type IconProps } from './glyph.tsx';

export function AlertIcon(props: IconProps) {
  return <Glyph {...props} d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5V13M12 16.4v.1" />;
}

export function InfoIcon(props: IconProps) {
  return <Glyph {...props} d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.6v.1" />;
}

export function CheckIcon(props: IconProps) {
  return <Glyph {...props} d="M5 12.5l4.5 4.5L19 7.5" />;
}

export function CheckCircleIcon(props: IconProps) {
  return <Glyph {...props} d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.3l2.8 2.8L16 9.5" />;
}

export function LockIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M7.5 11h9a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 18.5v-6A1.5 1.5 0 0 1 7.5 11zM8.5 11V8a3.5 3.5 0 0 1 7 0v3"
    />
  );
}
