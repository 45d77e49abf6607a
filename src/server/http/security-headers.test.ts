import { expect, test } from 'vitest';
import { useProgram } from '../../../test/support/program.ts';

const https = useProgram({ PUBLIC_URL: 'https://laundry.example' });
const http = useProgram();

const PATHS = ['livez', 'robots.txt', 'nowhere', '%zz', 'reviews/nothing.php'];

test.each(PATHS)('/%s makes browsers use https, if PUBLIC_URL does', async (path) => {
  expect((await https.caller().get(path)).headers['strict-transport-security']).toBe('max-age=31536000');
  expect((await http.caller().get(path)).headers['strict-transport-security']).toBeUndefined();
});
