import { Glyph, type IconProps } from './glyph.tsx';

export function HomeIcon(props: IconProps) {
  return <Glyph {...props} d="M4 10.8L12 4l8 6.8v8.2a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 19zM9.5 20.5V14h5v6.5" />;
}

export function StarIcon(props: IconProps) {
  return <Glyph {...props} d="M12 3.6l2.6 5.3 5.9.8-4.3 4.1 1.05 5.8L12 16.9l-5.25 2.7 1.05-5.8-4.3-4.1 5.9-.8z" />;
}

export function GiftIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M5 12v7.5a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V12M4.5 8h15a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1zM12 8v12.5M12 8S10.6 3.5 8 3.5A2.2 2.2 0 0 0 8 8zM12 8s1.4-4.5 4-4.5A2.2 2.2 0 0 1 16 8z"
    />
  );
}

export function ChatIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M5.5 5h13A1.5 1.5 0 0 1 20 6.5v8a1.5 1.5 0 0 1-1.5 1.5H11l-4.5 4v-4h-1A1.5 1.5 0 0 1 4 14.5v-8A1.5 1.5 0 0 1 5.5 5zM8.5 9h7M8.5 12h4"
    />
  );
}

export function UserIcon(props: IconProps) {
  return <Glyph {...props} d="M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5" />;
}

export function LogoutIcon(props: IconProps) {
  return <Glyph {...props} d="M10 4H5.5A1.5 1.5 0 0 0 4 5.5v13A1.5 1.5 0 0 0 5.5 20H10M15.5 8l4 4-4 4M19.5 12H9.5" />;
}

export function ReceiptIcon(props: IconProps) {
  return <Glyph {...props} d="M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5" />;
}

export function WalletIcon(props: IconProps) {
  return (
    <Glyph
      {...props}
      d="M4 7v11a2 2 0 0 0 2 2h13a1 1 0 0 0 1-1v-2.5M17 8.5V5.5A1.5 1.5 0 0 0 15.5 4H6.2A2.2 2.2 0 0 0 4 6.2c0 1.3 1 2.3 2.2 2.3H19a1 1 0 0 1 1 1V12M20.5 12h-4a2.25 2.25 0 0 0 0 4.5h4z"
    />
  );
}

export function PinIcon(props: IconProps) {
  return <Glyph {...props} d="M12 21s-7-6-7-11.3a7 7 0 0 1 14 0C19 15 12 21 12 21zM12 7.2a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z" />;
}
