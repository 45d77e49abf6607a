/** `import script from './some.ts?inline-script'`: the file and what it imports as the text of one small script, to stand in a document. */
import { build, type Plugin, type Rolldown } from 'vite';

const QUERY = '?inline-script';

export const inlineScript = (): Plugin => ({
  name: 'inline-script',
  // Before Vite takes the file for a module like any other.
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
          // Browsers that cannot run the program itself should still be told that they cannot.
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
