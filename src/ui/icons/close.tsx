import { Glyph, type IconProps } from './glyph.tsx';

export function CloseIcon(props: IconProps) {
  return <Glyph {...props} d="M6.5 6.5l11 11M17.5 6.5l-11 11" />;
}
