// Tests that run the built program must not meet an older one. Costs nothing when the build is fresh.
import { build } from './prepare.mjs';

await build();
