import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The largest are lists of words by which passwords are judged, fetched when one is typed.
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 1300 },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': { target: process.env.VITE_API ?? 'http://127.0.0.1:8080', changeOrigin: false } },
  },
})
