import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** Compiled modules: loading them takes half the time. Not used if it cannot be written. */
export const COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/rogatka/compiled', import.meta.url))

/** Keeps the compiled code of modules that are imported from now on for the next start. */
export const keepCompiled = (): void => void enableCompileCache(COMPILE_CACHE)
