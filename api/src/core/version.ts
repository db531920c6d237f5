import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** Version of this release, from package.json. */
export const VERSION: string = manifest.version

/** URL of the repository, from package.json. */
export const REPOSITORY_URL: string = manifest.repository.url.replace(/^git\+|\.git$/g, '')
