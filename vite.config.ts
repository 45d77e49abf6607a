import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: 'es2022' },
  environments: {
    // The server build is the whole program: Fastify shell, domains and pages in one bundle.
    ssr: { build: { rolldownOptions: { input: './src/api/main.ts' } } },
  },
  // Without these the first page in development fails with 504 Outdated Optimize Dep.
  optimizeDeps: {
    include: ['react', 'react/jsx-runtime', 'react/jsx-dev-runtime', 'react-dom/client', 'react-router', 'react-router/dom', 'zod/mini'],
  },
});
