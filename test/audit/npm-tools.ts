/**
 * The tools that only the audit needs: a separate package.json keeps the program's installation
 * small.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { runProcess } from './tool.ts';

export const folder = import.meta.dirname;

const INSTALL_SECONDS = 120;

/** Installs the packages unless they are installed. */
export async function installNpmTools() {
  if (existsSync(path.join(folder, 'node_modules/linkinator/package.json'))) return;
  console.log('Installing csp_evaluator and linkinator (needed once) …');
  const args = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runProcess('npm', args, { seconds: INSTALL_SECONDS });
}
