/** The shipped configuration of nginx, changed so that it runs on this machine. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const SHIPPED = path.resolve(import.meta.dirname, '../deploy/nginx/nginx.conf');

/** The name of the server in the configuration and in its certificate. */
export const SERVER_NAME = 'laundry.example';

interface WrittenConfiguration {
  file: string;
  /** The path of the self-signed certificate. */
  certificate: string;
}

/**
 * Writes the configuration and a new certificate to the folder, with other texts in place of some.
 * Throws if a text is not in the configuration. `run` runs a program.
 */
export async function writeNginxConfiguration(
  folder: string,
  replaced: Readonly<Record<string, string>>,
  run: (command: string, args: string[]) => Promise<unknown>,
): Promise<WrittenConfiguration> {
  const certificates = path.join(folder, 'certificates');
  await mkdir(certificates, { recursive: true });
  const certificate = path.join(certificates, 'fullchain.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', path.join(certificates, 'privkey.pem')];
  await run('openssl', ['req', '-x509', ...key, '-subj', `/CN=${SERVER_NAME}`, '-days', '1', '-out', certificate]);
  const file = path.join(folder, 'nginx.conf');
  let configuration = (await readFile(SHIPPED, 'utf8')).replaceAll('/etc/nginx/certificates', certificates);
  for (const [from, to] of Object.entries(replaced)) {
    if (!configuration.includes(from)) throw new Error(`'${from}' is not in nginx.conf`);
    configuration = configuration.replaceAll(from, to);
  }
  await writeFile(file, `pid ${folder}/nginx.pid;\n${configuration}`);
  return { file, certificate };
}
