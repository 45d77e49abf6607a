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

export function FacebookIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M14 20.5V13h2.8l.5-3.3H14V7.8c0-1.1.5-1.8 1.8-1.8h1.7V3.3a16 16 0 0 0-2.3-.2c-2.5 0-4 1.5-4 4.2v2.4H8.5V13h2.7v7.5z"
    />
  );
}

export function InstagramIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M8 3.5h8A4.5 4.5 0 0 1 20.5 8v8a4.5 4.5 0 0 1-4.5 4.5H8A4.5 4.5 0 0 1 3.5 16V8A4.5 4.5 0 0 1 8 3.5zM12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM16.8 7v.1"
    />
  );
}

export function WhatsappIcon(props: IconProps) {
  return <Glyph {...props} d="M4 20l1.2-4A8.3 8.3 0 1 1 8.2 19zM9 8.5c-.6 3.5 3 7 6.5 6.5l.3-1.8-2-1-1 .9a6 6 0 0 1-2-2l.9-1-1-2z" />;
}
