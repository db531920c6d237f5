import { z } from 'zod'
import { instant } from './wire.ts'

/*
 * Searches by plate under opaque ids: addresses, which logs and browsers keep, hold the id instead of the plate. An id opens
 * only for whom the search was saved, for 12 hours.
 */

/** 128 random bits in base64url. */
const drawnId = z.string().regex(/^[A-Za-z0-9_-]{21}[AQgw]$/)

/** The id of a saved search in a query; of another form it is unknown, empty is none. */
export const searchId = z.string().max(64)

export const searchParams = z.object({ id: z.string().max(64) })

/** Filters to save. */
export const newSearch = <F extends z.ZodType>(filters: F) =>
  z.object({
    /** Drawn by the caller; absent: by the server. With the same filters it prolongs the search. */
    searchId: drawnId.optional(),
    filters,
  })

export const savedSearch = z.object({ searchId: z.string(), expiresAt: instant })

/** The filters of a saved search, for its owner. */
export const openedSearch = <F extends z.ZodType>(filters: F) => z.object({ filters, expiresAt: instant })
