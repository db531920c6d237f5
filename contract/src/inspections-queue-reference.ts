import * as inspectionsQueue from './inspections-queue.ts'
import { reference } from './reference.ts'

export const inspectionsQueueReference = reference('Inspections', inspectionsQueue, {
  queueTimes: { query: { locations: '999' }, response: { taken: 0, arrivals: [] } },
})
