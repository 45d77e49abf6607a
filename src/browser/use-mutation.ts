/**
 * Runs an operation that a customer starts, such as a submit: the counterpart of `useQuery`, with
 * the names of TanStack Query.
 */
import { useState } from 'react';

interface MutationOptions<Input, Result> {
  mutationFn(input: Input): Promise<Result>;
  onError(error: unknown): void;
}

/**
 * `mutate` never throws: after an error it calls `onError` and returns undefined. `pending` is true
 * while it runs. The caller ignores a second submit.
 */
export function useMutation<Input, Result = void>({ mutationFn, onError }: MutationOptions<Input, Result>) {
  const [pending, setPending] = useState(false);
  const mutate = async (input: Input): Promise<Result | undefined> => {
    setPending(true);
    try {
      return await mutationFn(input);
    } catch (error) {
      onError(error);
      return undefined;
    } finally {
      setPending(false);
    }
  };
  return { pending, mutate };
}
