import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // Else Zod tries whether it may compile its schemas, which the Content-Security-Policy takes for a breach. Set here and
  // not by z.config(), because schemas stand in chunks that run before the entry's own code.
  define: { 'globalThis.__zod_globalConfig': '({ jitless: true })' },
  // The largest are lists of words by which passwords are judged, fetched when one is typed.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 1300 },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.VITE_API ?? 'http://127.0.0.1:8080', changeOrigin: false } },
  },
})
