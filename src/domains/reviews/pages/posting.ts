import { useState } from 'react';
import { msg, type ErrorMessage, type Message } from '../../../i18n/messages.ts';
import { toErrorMessage, fieldError } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useSiteConfig } from '../../../browser/site-config.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { addReview, reviewFields } from '../contract.ts';

type Given = { star: number; message: string };
type Errors = Partial<Record<keyof Given, ErrorMessage | undefined>>;

/** Posting a review: what is wrong with it is said at its field, what the server refuses below the form, and a failure in the specified words. */
export function usePosting(userid: string) {
  const { brand } = useSiteConfig();
  const [pending, setPending] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<Message | null>(null);

  const post = async (given: Given): Promise<'posted' | 'failed' | keyof Given> => {
    const found = wrong(given);
    setErrors(found);
    setRefusal(null);
    if (found.star) return 'star';
    if (found.message) return 'message';
    setPending(true);
    try {
      const answer = await fetchSend(addReview, { userid, ...given });
      if (answer.response === 'success') return 'posted';
      setRefusal(toErrorMessage(answer));
    } catch (error) {
      const text = msg('Something gone wrong, please report it at {email}', { email: brand.email });
      setRefusal(text);
      alertProblem(error, { doing: 'posting a review' }, { text });
    } finally {
      setPending(false);
    }
    return 'failed';
  };

  return { pending, errors, refusal, post };
}

function wrong(given: Given): Errors {
  const star = reviewFields.star.safeParse(given.star);
  const message = reviewFields.message.safeParse(given.message);
  return {
    star: fieldError(addReview.errors, star.error?.issues[0]),
    message: fieldError(addReview.errors, message.error?.issues[0]),
  };
}
