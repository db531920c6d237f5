import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MAX_VIEW_NAME, viewPages } from './options.ts'
import { queryId, requiredText } from './wire.ts'

/** Views of a user, and how many of them may be shared. */
export const MAX_VIEWS = 50
export const MAX_SHARED_VIEWS = 10
/** Views of a list: all own ones, and of those that others share the ones with a place, then the oldest. */
export const MAX_LISTED_VIEWS = 500
/** Characters of all parameters of a view. */
export const MAX_VIEW_SIZE = 4_000

/** The parameters that contain a plate. */
export const PLATE_PARAMETERS = ['plateLpr', 'plates'] as const

const search = z
  .record(z.string().max(40), z.string())
  .refine((values) => JSON.stringify(values).length <= MAX_VIEW_SIZE, 'text-too-long')

/** Minutes of a range that ends now; null: fixed times, or none. At most two years. */
const rangeMinutes = z
  .int()
  .min(1)
  .max(2 * 366 * 24 * 60)
  .nullable()

const values = z.object({
  name: requiredText(MAX_VIEW_NAME),
  search,
  rangeMinutes,
  /** Readable for all who may open the page. */
  shared: z.boolean(),
})

export const view = z.object({
  id: z.int(),
  page: z.enum(viewPages),
  name: z.string(),
  /** Parameters of the page's address, without stations that are gone. In lists without plates. */
  search: z.record(z.string(), z.string()),
  /** It has a plate, which only `GET /views/:id` returns. */
  hasPlate: z.boolean(),
  rangeMinutes,
  shared: z.boolean(),
  owner: z.string(),
  isOwn: z.boolean(),
  /** The caller may delete it. */
  isDeletable: z.boolean(),
  /** Opened after the caller signs in. */
  isStart: z.boolean(),
  /** Number of its stations that are gone. */
  missingStations: z.int(),
  version: z.int(),
})
export type View = z.output<typeof view>

/** Each view also requires the right of its page. */
const VIEWERS = ['CurrentMeasurements', 'ArchiveMeasurements', 'Stat'] as const
const byId = z.object({ id: queryId })

export const views = endpoint({
  method: 'GET',
  path: '/views',
  access: VIEWERS,
  summary: "Lists saved views in the caller's order: own ones, and shared ones of others; at most 500",
  response: z.array(view),
})

export const readView = endpoint({
  method: 'GET',
  path: '/views/:id',
  access: VIEWERS,
  summary: 'Returns a saved view, with the plate of an own one',
  params: byId,
  response: view,
  looks: 'each',
  shows: 'views',
})

export const addView = endpoint({
  method: 'POST',
  path: '/views',
  access: VIEWERS,
  summary: 'Saves filters and order of a page as a view',
  body: values.extend({
    page: z.enum(viewPages),
    rangeMinutes: rangeMinutes.default(null),
    shared: z.boolean().default(false),
  }),
  response: view,
  looks: 'each',
  shows: 'views',
})

export const changeView = endpoint({
  method: 'PUT',
  path: '/views/:id',
  access: VIEWERS,
  summary: 'Changes an own view; what is absent stays as stored',
  params: byId,
  body: values.partial().extend({ version: z.int().optional() }),
  response: view,
  looks: 'each',
  shows: 'views',
})

export const removeView = endpoint({
  method: 'DELETE',
  path: '/views/:id',
  access: VIEWERS,
  summary: 'Deletes an own view, also of a page that the caller may no longer open; with UsersAdmin also a shared one',
  params: byId,
})

export const orderViews = endpoint({
  method: 'PUT',
  path: '/views/order',
  access: VIEWERS,
  summary: "Sets the caller's order of views; those that are not listed follow",
  body: z.object({ ids: z.array(z.int().positive()).max(1_000) }),
})

export const setStartView = endpoint({
  method: 'PUT',
  path: '/views/start',
  access: VIEWERS,
  summary: 'Sets the view that opens after the caller signs in; null: none',
  body: z.object({ id: z.int().positive().nullable() }),
})
