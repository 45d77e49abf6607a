import { index, route, type RouteConfig } from '@react-router/dev/routes';

/** The specification's screen table (section 2). */
export default [
  index('./domains/home/pages/home.tsx', { id: 'home' }),
  route('home', './domains/home/pages/home.tsx', { id: 'home-by-name' }),
  route('*', './web/not-found.tsx'),
] satisfies RouteConfig;
