import { Glyph, type IconProps } from './glyph.tsx';

export function ClockIcon(props: IconProps) {
  return <Glyph {...props} d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5.2l3.4 2" />;
}

export function TagIcon(props: IconProps) {
  return <Glyph {...props} d="M3.5 12.3V4.8a1.3 1.3 0 0 1 1.3-1.3h7.5l8 8a1.4 1.4 0 0 1 0 2l-6.8 6.8a1.4 1.4 0 0 1-2 0zM8 8v.1" />;
}

export function WasherIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M6.5 3.5h11A1.5 1.5 0 0 1 19 5v14a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 19V5a1.5 1.5 0 0 1 1.5-1.5zM5 8h14M8 5.8v.1M11 5.8v.1M12 10.2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM8.2 14.6c1.3-.9 2.5-.6 3.8.1s2.5.9 3.8 0"
    />
  );
}

export function IronIcon(props: IconProps) {
  return <Glyph {...props} d="M3 18.5h18l-1.2-8.3A2 2 0 0 0 17.8 8.5H8.5M3 18.5C3 14.5 6 12 10.5 12h9.5M8.5 8.5c0-2 1-3 3-3H15" />;
}

export function HangerIcon(props: IconProps) {
  return <Glyph {...props} d="M12 10V8.8c0-.7.4-1.1 1-1.5a2 2 0 1 0-3-1.8M12 10l8.5 6.2a1.3 1.3 0 0 1-.8 2.3H4.3a1.3 1.3 0 0 1-.8-2.3z" />;
}

export function BasketIcon(props: IconProps) {
  return <Glyph {...props} d="M3.5 9.5h17l-1.8 9.7a1 1 0 0 1-1 .8H6.3a1 1 0 0 1-1-.8zM8 9.5l3-5.5M16 9.5L13 4M9.5 13v3.5M14.5 13v3.5" />;
}
