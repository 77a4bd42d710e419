import { defineConfig } from 'vite';

// `ENGINE=http://127.0.0.1:PORT npm run dev` joins the page under development to a running `sinew view`.
const engine = process.env['ENGINE'];

export default defineConfig({
  // Relative addresses, so that the page works from any folder of a static host.
  base: './',
  publicDir: false,
  build: {
    target: 'es2022',
    outDir: 'dist',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  worker: { format: 'es' },
  server: engine ? { proxy: { '/live': { target: engine, ws: true, changeOrigin: true, rewriteWsOrigin: true } } } : {},
});
