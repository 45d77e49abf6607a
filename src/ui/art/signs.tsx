import { Picture } from './picture.tsx';

const frame = { viewBox: '0 0 24 24', className: 'size-6 shrink-0' };

export const FacebookSign = () => <Picture id="facebook" {...frame} />;
export const InstagramSign = () => <Picture id="instagram" {...frame} />;
export const WhatsappSign = () => <Picture id="whatsapp" {...frame} />;
