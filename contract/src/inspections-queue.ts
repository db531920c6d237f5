import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant, queryInts } from './wire.ts'

/*
 * In a module of its own, as every page counts the queue and the other endpoints of inspections are large.
 */

export const queueTimes = endpoint({
  method: 'GET',
  path: '/inspections/queue',
  access: ['Inspections', 'InspectionReview'],
  summary:
    'Counts the inspections that officers have taken over and not closed, and returns when announced vehicles reach ' +
    'the checkpoint',
  query: z.object({ locations: queryInts.optional() }),
  response: z.object({
    taken: z.int(),
    /** Of announced vehicles; null if unknown. */
    arrivals: z.array(instant.nullable()),
  }),
})
export type WireQueueTimes = z.input<typeof queueTimes.response>
