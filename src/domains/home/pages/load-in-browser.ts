import { fetchSend } from '../../../browser/client.ts';
import { reportProblem } from '../../error-reports/pages/problem.ts';
import { loadHome } from './home-data.ts';

export const loadInBrowser = () => loadHome(fetchSend, (error) => reportProblem(error, { doing: 'loading home' }));
