import { Picture } from './picture.tsx';

const tile = { viewBox: '0 0 96 96', className: 'size-20 max-w-full' };

export const WashArt = () => <Picture id="wash" {...tile} />;
export const IronArt = () => <Picture id="iron" {...tile} />;
export const WashIronArt = () => <Picture id="wash-iron" {...tile} />;
