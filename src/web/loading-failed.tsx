import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** What stands in place of what could not be loaded. */
export function LoadingFailed({ what, onRetry }: { what: string; onRetry(): void }) {
  return (
    <Notice
      tone="bad"
      title={`We could not load ${what}`}
      action={
        <Button variant="secondary" size="small" onClick={onRetry}>
          Try again
        </Button>
      }
    >
      Please try again in a moment.
    </Notice>
  );
}
