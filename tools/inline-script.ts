/**
 * `import script from './some.ts?inline-script'` returns a module and its imports as the text of
 * one minified script. Vite has no query for that: `?raw` would neither bundle, compile nor minify.
 */
import { build, type Plugin, type Rolldown } from 'vite';

const QUERY = '?inline-script';

/** A Vite plugin: an import with `?inline-script` is the bundled script as a string. */
export const inlineScript = (): Plugin => ({
  name: 'inline-script',
  // Before Vite loads the file as a module.
  enforce: 'pre',
  load: {
    filter: { id: /\?inline-script$/ },
    async handler(id) {
      const built = (await build({
        configFile: false,
        logLevel: 'warn',
        publicDir: false,
        build: {
          write: false,
          // A browser that cannot run the program must still show the notice that its scripts
          // failed.
          target: 'es2015',
          modulePreload: false,
          rolldownOptions: { input: id.slice(0, -QUERY.length), output: { format: 'iife' } },
        },
      })) as Rolldown.RolldownOutput;
      const [{ code, moduleIds }] = built.output;
      for (const file of moduleIds) this.addWatchFile(file);
      return `export default ${JSON.stringify(code.trim())}`;
    },
  },
});
