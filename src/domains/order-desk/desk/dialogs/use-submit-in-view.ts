import { useEffect, useRef } from 'react';
import type { Message } from '../../../../i18n/messages.ts';

/** Returns the ref of a form whose button to submit is scrolled into view after a refusal. */
export function useSubmitInView(refusal: Message | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal) form.current?.querySelector('[type=submit]')?.scrollIntoView({ block: 'nearest' });
  }, [refusal]);
  return form;
}
