import type { z } from 'zod'
import { assertPlateQueryAllowed } from './anonymity.ts'
import type { SearchKind } from './plate-searches.ts'
import type { Api } from './route.ts'
import type { Session } from './sessions.ts'

type Caller = { session: Session; now: Date }
type PlateFilters = Parameters<typeof assertPlateQueryAllowed>[1]

/** Handlers of the endpoints that save and open the searches of a page: refused to those who see no plates. */
export const plateSearchHandlers = <F extends z.ZodType<PlateFilters>>({ searches }: Api, kind: SearchKind<F>) => ({
  save: ({ session, now, body }: Caller & { body: { searchId?: string | undefined; filters: z.output<F> } }) => {
    assertPlateQueryAllowed(session, body.filters, [])
    return searches.save(kind, session, body, now)
  },
  open: async ({ session, now, params }: Caller & { params: { id: string } }) => {
    const opened = await searches.open(kind, session, params.id, now)
    assertPlateQueryAllowed(session, opened.filters, [])
    return opened
  },
})
