import { readFileSync } from 'node:fs'

const manifest = new URL('../../../package.json', import.meta.url)

/** The version of this release, as package.json has it. */
export const VERSION: string = JSON.parse(readFileSync(manifest, 'utf8')).version
