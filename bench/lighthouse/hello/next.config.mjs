import path from 'node:path';

/** Its packages lie in the folder above, which is not the repository's root. */
export default { turbopack: { root: path.dirname(import.meta.dirname) } };
