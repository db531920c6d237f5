import { post, putImage, quarantine } from '@rogatka/contract/ingest.ts'
import { anonymiseMeasurementFor } from '../core/anonymity.ts'
import { toApiErrors } from '../core/error-mapping.ts'
import { type Api, route } from '../core/route.ts'
import { quarantinePage } from './queries.ts'
import type { Receivers } from './receivers.ts'

/** Registers the routes of stations for measurements and images, and the list of rejected vehicles. */
export function ingestRoutes(api: Api, receivers: Receivers): void {
  route(api, post, ({ now, station: { locationId }, request, language }) =>
    receivers.measurements({
      locationId,
      body: request.body as Buffer | undefined,
      contentType: request.headers['content-type'],
      now,
      language,
    }),
  )

  route(api, putImage, ({ now, params, query: { createdAt }, station: { locationId }, request }) =>
    receivers.image({
      ...params,
      locationId,
      createdAt,
      bytes: Buffer.isBuffer(request.body) ? request.body : undefined,
      now,
    }),
  )

  route(api, quarantine, async ({ db, session, query: { page, limit }, language }) => {
    const { content, totalCount } = await quarantinePage(db, page, limit)
    const rows = content.map(({ errors, measurement, ...rest }) => ({
      ...rest,
      measurement: anonymiseMeasurementFor(session, measurement),
      errors: toApiErrors(errors, language),
    }))
    return { content: rows, totalCount }
  })
}
