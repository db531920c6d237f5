import { config } from 'zod'

/*
 * Schemas would try whether they may compile themselves, which the page's Content-Security-Policy reports as a breach.
 * Imported before everything that has a schema.
 */
config({ jitless: true })
