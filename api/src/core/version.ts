import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** The version of this release, as package.json has it. */
export const VERSION: string = manifest.version

/** Web address of the project's repository, as package.json has it. */
export const REPOSITORY_URL: string = manifest.repository.url.replace(/^git\+|\.git$/g, '')
