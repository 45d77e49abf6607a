// `begin` and `end` of `npm run build`: mark what was built, so that a start does not build it
// again.
import { beginBuild, endBuild } from './prepare.mjs';

if (process.argv[2] === 'begin') beginBuild();
else endBuild();
