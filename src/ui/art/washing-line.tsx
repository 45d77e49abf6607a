import { Picture } from './picture.tsx';

export const WashingLineArt = () => <Picture id="washing-line" viewBox="0 0 360 240" className="h-auto w-full" />;
