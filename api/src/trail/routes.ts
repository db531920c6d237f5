import * as endpoints from '@rogatka/contract/trail.ts'
import { currentPurpose, removePurpose, setPurpose } from '../core/purpose.ts'
import { type Api, route } from '../core/route.ts'

/** Registers the routes of the access trail and of the purposes of looks. */
export function trailRoutes(api: Api): void {
  const required = api.config.purposes === 'required'

  route(api, endpoints.readPurpose, async ({ db, session, now }) => ({
    required,
    current: await currentPurpose(db, session, now),
  }))

  route(api, endpoints.setPurpose, async ({ db, session, now, body }) => {
    await setPurpose(db, session, body, now)
    return { required, current: await currentPurpose(db, session, now) }
  })

  route(api, endpoints.removePurpose, async ({ db, session }) => {
    await removePurpose(db, session)
  })
}
