import { useState } from 'react';
import { msg, type ErrorMessage, type Message } from '../../../i18n/messages.ts';
import { toErrorMessage, fieldError } from '../../../contract/errors.ts';
import { fetchSend } from '../../../browser/client.ts';
import { useMutation } from '../../../browser/use-mutation.ts';
import { useSiteConfig } from '../../../shared/site-config.ts';
import { alertProblem } from '../../error-reports/pages/problem.ts';
import { addReview, reviewFields } from '../contract.ts';

type ReviewInput = { star: number; message: string };
type FieldErrors = Partial<Record<keyof ReviewInput, ErrorMessage | undefined>>;

/**
 * Returns the state of the review form and `post`, which never throws: it returns 'posted',
 * 'failed', or the first invalid field. `errors` are those of the last `post` that `current` has
 * not mended. `formError` is the server's error response, or the specified text after a failure.
 */
export function usePostReview(userid: string, orderid: string | undefined, current: ReviewInput) {
  const { brand } = useSiteConfig();
  const [posted, setPosted] = useState<FieldErrors>({});
  const left = validate(current);
  const errors: FieldErrors = { star: posted.star && left.star, message: posted.message && left.message };
  const [formError, setFormError] = useState<Message | null>(null);

  const { pending, mutate } = useMutation({
    async mutationFn(input: ReviewInput) {
      const response = await fetchSend(addReview, { userid, orderid, ...input });
      if (response.response === 'success') return 'posted';
      setFormError(toErrorMessage(response));
      return 'failed';
    },
    onError(error) {
      const text = msg('Something gone wrong, please report it at {email}', { email: brand.email });
      setFormError(text);
      alertProblem(error, { doing: 'posting a review' }, { text });
    },
  });

  const post = async (): Promise<'posted' | 'failed' | keyof ReviewInput> => {
    setPosted(left);
    setFormError(null);
    if (left.star) return 'star';
    if (left.message) return 'message';
    return (await mutate(current)) ?? 'failed';
  };

  return { pending, errors, formError, post };
}

/** Returns the error of each invalid field. */
function validate(input: ReviewInput): FieldErrors {
  const star = reviewFields.star.safeParse(input.star);
  const message = reviewFields.message.safeParse(input.message);
  return {
    star: fieldError(addReview.errors, star.error?.issues[0]),
    message: fieldError(addReview.errors, message.error?.issues[0]),
  };
}
