import type { Config } from '../config.ts'
import type { Files } from '../core/files.ts'
import type { Zammad } from './zammad.ts'

export type Service = { zammad: Zammad; files: Files; config: Pick<Config, 'organization'>; key: Buffer }

/** Of what is written into the ticket service: that of the road authority. */
export const SERVICE_LANGUAGE = 'pl'

/** A request that was not answered may still be carried out so much later; only then is it repeated. */
const SETTLED_MS = 60_000

/** Throws while a request that was not answered may still be carried out. */
export function refuseUnsettled(attemptedAt: Date, now: Date): void {
  if (attemptedAt.getTime() + SETTLED_MS > now.getTime())
    throw new Error('The last attempt was not answered: waiting until it is certain that it failed')
}
