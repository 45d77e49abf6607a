import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/**
 * The console of the staff, in a build of its own: no file of it is in the build of the site, which
 * customers load (docs/decisions/0052).
 */
export default defineConfig({
  root: 'src/console',
  base: '/staff/',
  plugins: [tailwindcss()],
  build: {
    target: 'es2022',
    outDir: '../../build/console',
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/, priority: 2 },
            { name: 'shared', test: /src[\\/]/, minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
});
