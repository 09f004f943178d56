// Before all that has schemas.
import './without-eval.ts';
import { createRoot } from 'react-dom/client';
import './theme.css';
import { App } from './app.tsx';

/**
 * web: the page, a face in the browser. It asks the server by the contract in `api`, and shows what it answers; nothing of it is decided here.
 */
const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
