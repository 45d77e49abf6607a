import { Glyph, type IconProps } from './glyph.tsx';

export function EyeIcon(props: IconProps) {
  return <Glyph {...props} d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z" />;
}

export function EyeOffIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.4M6.5 7.6A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.3-1.1M10 9.9a3 3 0 0 0 4.1 4.2"
    />
  );
}
