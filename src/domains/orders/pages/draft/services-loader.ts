/**
 * The loaders of /stages and /overview. They return the services, or null if the services could not
 * be loaded.
 */
import { data, type ClientLoaderFunctionArgs, type LoaderFunctionArgs } from 'react-router';
import { fetchSend } from '../../../../browser/client.ts';
import { sendContext } from '../../../../shared/router-context.ts';
import { loadCatalogue, statusOf } from '../../../catalogue/pages/catalogue-data.ts';
import { reportProblem } from '../../../error-reports/pages/problem.ts';

export async function loader({ context }: LoaderFunctionArgs) {
  // The server logs the failed call.
  const catalogue = await loadCatalogue(context.get(sendContext), () => {});
  return data(catalogue.services, { status: statusOf(catalogue) });
}

export async function clientLoader({ request }: ClientLoaderFunctionArgs) {
  const { pathname } = new URL(request.url);
  const { services } = await loadCatalogue(fetchSend, (error) => reportProblem(error, { doing: `loading ${pathname}` }));
  return services;
}
