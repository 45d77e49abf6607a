// Builds the program if its sources have changed, so that tests do not run an outdated build.
import { build } from './prepare.mjs';

await build();
