export function StarShape({ filled, large }: { filled: boolean; large: boolean }) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      aria-hidden="true"
      className={large ? 'size-8' : 'size-4.5'}
    >
      <path d="M12 3.6l2.6 5.3 5.9.8-4.3 4.1 1.05 5.8L12 16.9l-5.25 2.7 1.05-5.8-4.3-4.1 5.9-.8z" />
    </svg>
  );
}
