import { data } from 'react-router';

export const loader = () => data(null, { status: 404 });
export const clientLoader = () => null;

export const meta = () => [{ title: '404 not found' }, { name: 'robots', content: 'noindex' }];

export default function NotFound() {
  return (
    <main>
      <h1>404 not found</h1>
    </main>
  );
}
