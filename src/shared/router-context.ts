import { createContext } from 'react-router';
import type { Send } from '../contract/send.ts';

/** On the server, a loader sends its calls to the program's own routes instead of the network. */
export const sendContext = createContext<Send>();
