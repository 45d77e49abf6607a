import { Glyph, type IconProps } from './glyph.tsx';

export function PhoneIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M6.3 3.5h2.2l1.5 4.4-2 1.6a12 12 0 0 0 6.5 6.5l1.6-2 4.4 1.5v2.2a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.3 5.7a2 2 0 0 1 2-2.2z"
    />
  );
}

export function MailIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M5 5.5h14A1.5 1.5 0 0 1 20.5 7v10a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17V7A1.5 1.5 0 0 1 5 5.5zM4 7l8 6 8-6"
    />
  );
}
