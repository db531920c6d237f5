import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The faces in which every page of every language is set: else they wait until style and script are here. */
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
  // Else Zod tries whether it may compile its schemas, which the Content-Security-Policy takes for a breach. Set here and
  // not by z.config(), because schemas stand in chunks that run before the entry's own code.
  define: { 'globalThis.__zod_globalConfig': '({ jitless: true })' },
  // The largest are lists of words by which passwords are judged, fetched when one is typed.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1300,
    rolldownOptions: {
      // All that the first page needs in one file: over a slow line each further one costs a way there and back.
      output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.VITE_API ?? 'http://127.0.0.1:8080', changeOrigin: false } },
  },
})
