import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { drawCountry } from '@rogatka/domain/overview/countryMap.ts'
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

const LICENCES = 'licences.txt'
/** What Vite leaves out of the licences: those of fonts, which are in no chunk, and notices. */
const NOTICES = [
  'node_modules/@fontsource/barlow-semi-condensed/LICENSE',
  'node_modules/@fontsource/ibm-plex-sans/LICENSE',
  'node_modules/echarts/NOTICE',
  'node_modules/world-atlas/LICENSE',
  'THIRD-PARTY-NOTICES.md',
]

/** Adds the notices to the licences that Vite writes. */
const addNotices: Plugin = {
  name: 'add-notices',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const licences = bundle[LICENCES]
      if (licences?.type !== 'asset') throw new Error(`Vite wrote no ${LICENCES}.`)
      const notices = NOTICES.map(
        (path) => `## ${path}\n\n${readFileSync(resolve(import.meta.dirname, '..', path), 'utf8')}`,
      )
      licences.source = [licences.source, ...notices].join('\n')
    },
  },
}

const COUNTRY_MAP = 'virtual:country-map'

/** Draws the map of the overview (docs/decisions/109). */
const drawMap: Plugin = {
  name: 'draw-map',
  resolveId: (id) => (id === COUNTRY_MAP ? `\0${id}` : undefined),
  load(id) {
    if (id !== `\0${COUNTRY_MAP}`) return undefined
    const topology = readFileSync(fileURLToPath(import.meta.resolve('world-atlas/countries-50m.json')), 'utf8')
    return `export default ${JSON.stringify(drawCountry(JSON.parse(topology)))}`
  },
}

const COMPRESSIBLE = /^assets\/.*\.(?:js|css|svg|json)$/

/** Almost as small as at the highest quality, in a tenth of the time. */
const BROTLI_QUALITY = 9

/**
 * Compresses scripts and styles once, instead of for every browser that loads them. Small ones too: a server that finds no
 * compressed file looks for the others.
 */
const compressAssets: Plugin = {
  name: 'compress-assets',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const file of Object.keys(bundle).filter((name) => COMPRESSIBLE.test(name))) {
      const content = readFileSync(resolve(dir, file))
      writeFileSync(resolve(dir, `${file}.gz`), gzipSync(content, { level: 9 }))
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      }
      writeFileSync(resolve(dir, `${file}.br`), brotliCompressSync(content, { params }))
    }
  },
}

/** Static imports of each chunk. */
const importsOf = new Map<string, readonly string[]>()

const recordImports: Plugin = {
  name: 'record-imports',
  generateBundle: {
    order: 'pre',
    handler(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk') importsOf.set(chunk.fileName, chunk.imports)
    },
  },
}

/** A chunk with all that it imports: loaded before it runs. */
function loadedWith(chunk: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(chunk)) return loaded
  loaded.add(chunk)
  for (const imported of importsOf.get(chunk) ?? []) loadedWith(imported, loaded)
  return loaded
}

/** Flags as files, which the package holds and does not export. */
const FLAGS = fileURLToPath(new URL('./3x2', import.meta.resolve('country-flag-icons/package.json')))

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: { 'country-flag-icons/3x2': FLAGS } },
  plugins: [react(), preloadFaces, drawMap, addNotices, recordImports, compressAssets],
  // Prevents Zod from testing `eval`, which the Content-Security-Policy would report. Set here and not by z.config(),
  // because schema chunks run before the entry's code.
  define: { 'globalThis.__zod_globalConfig': '({ jitless: true })' },
  // The largest chunks are the dictionaries for password strength, loaded while typing a password.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    chunkSizeWarningLimit: 1300,
    // Scripts list what their lazy parts need: without what is there already, a hundred names fewer in some.
    modulePreload: {
      resolveDependencies: (_part, dependencies, { hostId }) => {
        const loaded = loadedWith(hostId)
        return dependencies.filter((dependency) => !loaded.has(dependency))
      },
    },
    // Licences require their texts beside the code that is served.
    license: { fileName: LICENCES },
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
