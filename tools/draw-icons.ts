/**
 * `npm run icons`: draws the PNG files of the site (installed icons, the sharing picture) from
 * favicon.svg and pictures.svg. The files are committed.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';
import { chromiumPath } from './chromium-path.mjs';

const folder = 'public/icons';
const icon = await readFile('public/favicon.svg', 'utf8');
const pictures = await readFile('src/ui/art/pictures.svg', 'utf8');
const theme = await readFile('src/ui/theme.css', 'utf8');
const colors = Array.from(
  theme.split('@media (prefers-color-scheme: dark)')[0]?.matchAll(/--color-[\w-]+:\s*#[0-9a-f]{6}/g) ?? [],
  ([all]) => all,
).join(';');

const squareDrawing = (size: number, style: string) => ({ width: size, height: size, body: `<div class="icon">${icon}</div>`, style });
const fullSize = 'svg{width:100vw;height:100vh}';

const drawings = {
  '192': squareDrawing(192, fullSize),
  '512': squareDrawing(512, fullSize),
  // Phones crop these icons or fill the corners with black: the background fills the square, the
  // sign has a margin.
  maskable: squareDrawing(512, 'body{background:#2438d6}svg{width:72vw;margin:14vw}'),
  touch: squareDrawing(180, 'body{background:#2438d6}svg{width:88vw;margin:6vw}'),
  shared: {
    width: 1200,
    height: 630,
    body: `${pictures}<main><div><h1>Laundry day,<br>off your hands.</h1><p>Collected at your door in Gurugram,<br>back washed and ironed within a day.</p></div>
      <svg class="line" viewBox="0 0 360 240"><use href="#washing-line"/></svg></main>`,
    style: `:root{${colors}}body{background:#faf7f2;color:#17181c;font-family:sans-serif}body>svg{position:absolute;width:0;height:0}main{display:flex;align-items:center;gap:40px;height:630px;padding:0 70px}
      h1{font-size:72px;line-height:1.05;margin:0 0 24px;letter-spacing:-2px}p{font-size:30px;line-height:1.4;color:#595c66;margin:0}.line{width:480px;flex:none}`,
  },
};

const executablePath = chromiumPath();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--disable-background-networking', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
await mkdir(folder, { recursive: true });
for (const [name, { width, height, body, style }] of Object.entries(drawings)) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(`<!doctype html><style>body{margin:0}svg{display:block}${style}</style>${body}`);
  await page.screenshot({ path: `${folder}/${name}.png`, omitBackground: true });
  await page.close();
}
await browser.close();
