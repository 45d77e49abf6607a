import { ArtFrame } from './art-frame.tsx';

/** Washing on the line in the sun: the hero. */
export function WashingLineArt() {
  return (
    <ArtFrame viewBox="0 0 360 240" className="h-auto w-full">
      <circle cx="292" cy="58" r="34" className="fill-haldi" />
      <path d="M0 214c60-26 118-26 180-8s120 16 180-6v40H0z" className="fill-accent-soft" />
      <path d="M34 30v186M326 30v186" className="stroke-edge" strokeWidth="5" />
      <path d="M34 44c90 30 200 30 292 0" className="stroke-ink" strokeWidth="2" />
      <path d="M70 56l16 4c3 9 19 9 22 2l16 3 18 25-17 11-8-9-3 68-58-4 4-66-9 7-14-15z" className="fill-accent" />
      <path d="M86 60c3 9 19 9 22 2" className="stroke-on-accent" strokeWidth="3" />
      <path d="M97 74l-3 76" className="stroke-on-accent" strokeWidth="2" strokeDasharray="1 9" />
      <path d="M160 66h52l3 104c-18 5-40 5-58 0z" className="fill-surface stroke-accent-ink" strokeWidth="3" />
      <path d="M158 138c19 5 38 5 57 0M159 152c19 5 37 5 56 0" className="stroke-accent-ink" strokeWidth="3" />
      <path d="M236 63h48l9 92-24 3-8-54-4 55-26-1z" className="fill-accent-soft stroke-accent-ink" strokeWidth="3" />
      <path d="M236 76h49" className="stroke-accent-ink" strokeWidth="3" />
      <path d="M86 52v15M110 56v15M167 59v14M206 59v14M242 57v14M278 53v14" className="stroke-haldi" strokeWidth="5" />
    </ArtFrame>
  );
}
