import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Preloads the fonts of all pages, which otherwise load only after style and script. */
const FACES = /(ibm-plex-sans-latin-[45]00|barlow-semi-condensed-latin-600)-normal-.*\.woff2$/

const preloadFaces: Plugin = {
  name: 'preload-faces',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => FACES.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${file}` },
          injectTo: 'head',
        })),
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadFaces],
  // Prevents Zod from testing `eval`, which the Content-Security-Policy would report. Set here and not by z.config(),
  // because schema chunks run before the entry's code.
  define: { 'globalThis.__zod_globalConfig': '({ jitless: true })' },
  // The largest chunks are the dictionaries for password strength, loaded while typing a password.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1300,
    rolldownOptions: {
      // The first page in one file: on slow connections every further file costs a round trip.
      output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.VITE_API ?? 'http://127.0.0.1:8080', changeOrigin: false } },
  },
})
