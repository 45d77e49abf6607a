import { Picture } from './picture.tsx';

const frame = { viewBox: '0 0 24 24', className: 'size-6 shrink-0' };

export const FacebookLogo = () => <Picture id="facebook" {...frame} />;
export const InstagramLogo = () => <Picture id="instagram" {...frame} />;
export const WhatsappLogo = () => <Picture id="whatsapp" {...frame} />;
