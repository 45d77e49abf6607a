/** Words for the person who maintains the program, closed at first. */
export function Details({ summary, text }: { summary: string; text: string }) {
  return (
    <details className="mt-2 text-sm">
      <summary className="min-h-11 cursor-pointer content-center font-medium text-accent-ink">{summary}</summary>
      <pre className="rounded-field bg-sunk p-3 text-xs whitespace-pre-wrap wrap-anywhere">{text}</pre>
    </details>
  );
}
