import { expect, test } from 'vitest';
import { useProgram } from '../support/program.ts';
import { rows } from './rows.ts';

const program = useProgram();

// staff-access.test.ts checks the calls of the staff.
test('the matrix contains exactly the calls of customers that the program serves', async () => {
  const { paths } = (await program.caller().get('openapi.json')).json() as { paths: Record<string, object> };
  const missing = 'every check of test/matrix runs for the calls in its rows.ts: add a row there for a new call';
  expect([...new Set(rows.map(({ call }) => `/${call.path}`))].toSorted(), missing).toEqual(
    Object.keys(paths)
      .filter((path) => !path.startsWith('/staff/'))
      .toSorted(),
  );
});
