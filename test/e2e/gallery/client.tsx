import './app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import Gallery from '../../../src/ui/gallery/gallery.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root');
createRoot(root).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
);
