/** The sign of public/favicon.svg, which is also the icon of the installed site. */
export const BrandMark = () => (
  <svg aria-hidden="true" viewBox="0 0 64 64" className="size-7 shrink-0">
    <rect width="64" height="64" rx="16" fill="#2438d6" />
    <circle cx="32" cy="34" r="17" fill="none" stroke="#fff" strokeWidth="5" />
    <path d="M20 36c6-6 10 5 16 0s8-3 8-3" fill="none" stroke="#f4b840" strokeWidth="5" strokeLinecap="round" />
    <path d="M18 13h.01M28 13h.01" stroke="#fff" strokeWidth="6" strokeLinecap="round" />
  </svg>
);
