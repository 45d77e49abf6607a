import { createContext } from 'react-router';
import type { Send } from './client.ts';

/** On the server, a loader sends its calls to the program's own routes instead of the network. */
export const sendContext = createContext<Send>();
