import { Glyph, type IconProps } from './glyph.tsx';

export function PlusIcon(props: IconProps) {
  return <Glyph {...props} d="M12 5v14M5 12h14" />;
}

export function MinusIcon(props: IconProps) {
  return <Glyph {...props} d="M5 12h14" />;
}

export function PencilIcon(props: IconProps) {
  return <Glyph {...props} d="M4 20l1-4.5L15.8 4.7a1.2 1.2 0 0 1 1.7 0l1.8 1.8a1.2 1.2 0 0 1 0 1.7L8.5 19zM13.5 7l3.5 3.5" />;
}

export function TrashIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M4.5 7h15M9 7V5a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v2M6.5 7l.8 12a1 1 0 0 0 1 1h7.4a1 1 0 0 0 1-1l.8-12M10.5 11v5M13.5 11v5"
    />
  );
}

export function CopyIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M10 8.5h8.5a1.5 1.5 0 0 1 1.5 1.5v8.5a1.5 1.5 0 0 1-1.5 1.5H10a1.5 1.5 0 0 1-1.5-1.5V10A1.5 1.5 0 0 1 10 8.5zM15.5 5.5A1.5 1.5 0 0 0 14 4H5.5A1.5 1.5 0 0 0 4 5.5V14a1.5 1.5 0 0 0 1.5 1.5"
    />
  );
}

export function ShareIcon(props: IconProps) {
  return <Glyph {...props} d="M12 15V4M8 7.5l4-4 4 4M5 12.5v6a1.5 1.5 0 0 0 1.5 1.5h11a1.5 1.5 0 0 0 1.5-1.5v-6" />;
}

export function DownloadIcon(props: IconProps) {
  return <Glyph {...props} d="M12 4v11.5M7.5 11l4.5 4.5 4.5-4.5M5 20h14" />;
}
