import { Glyph, type IconProps } from './glyph.tsx';

export function ChevronDownIcon(props: IconProps) {
  return <Glyph {...props} d="M6 9.5l6 6 6-6" />;
}

export function ChevronUpIcon(props: IconProps) {
  return <Glyph {...props} d="M6 14.5l6-6 6 6" />;
}

export function ChevronLeftIcon(props: IconProps) {
  return <Glyph {...props} d="M14.5 6l-6 6 6 6" />;
}

export function ChevronRightIcon(props: IconProps) {
  return <Glyph {...props} d="M9.5 6l6 6-6 6" />;
}
