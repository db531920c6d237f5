import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { evidenceTypes, reportLink } from './reports.ts'
import {
  imageParams,
  imageScale,
  listFlags,
  newTag,
  sortColumns,
  tag,
  tagParams,
  vehicle,
  vehicleFilters,
  vehicleKey,
  vehicleParams,
  wantedMark,
} from './vehicle.ts'
import { newSearch, openedSearch, savedSearch, searchId, searchParams } from './vehicle-searches.ts'
import { plateVms } from './vms.ts'
import { instant, queryId, sortDirections } from './wire.ts'

const position = z.object({ lastId: queryId.optional() })

/** Filters of the live list, or those of a saved search. */
const addressFilters = vehicleFilters.extend({ search: searchId.optional() })

export const saveSearch = endpoint({
  method: 'POST',
  path: '/current-vehicles/searches',
  access: 'CurrentMeasurements',
  system: true,
  summary: 'Saves filters, such as a plate, for 12 hours; its id replaces them in addresses, for the caller only',
  body: newSearch(vehicleFilters),
  response: savedSearch,
  rate: 'searches',
})

export const openSearch = endpoint({
  method: 'GET',
  path: '/current-vehicles/searches/:id',
  access: 'CurrentMeasurements',
  system: true,
  summary: "Returns the filters of a saved search of the caller's",
  params: searchParams,
  response: openedSearch(vehicleFilters),
})

export const check = endpoint({
  method: 'GET',
  path: '/current-vehicles/check',
  access: 'CurrentMeasurements',
  device: true,
  system: true,
  summary: 'Tells whether the live list has news after lastId; served from memory',
  query: addressFilters.extend(position.shape),
  response: z.object({ refresh: z.boolean() }),
  looks: 'visit',
})

export const counter = z.object({ locationId: z.int(), vehicles: z.int(), lastVehicleTime: instant.nullable() })

export const counters = endpoint({
  method: 'GET',
  path: '/current-vehicles/counters',
  access: 'CurrentMeasurements',
  device: true,
  system: true,
  summary: 'Returns the number of live vehicles and the last vehicle time by location',
  query: addressFilters,
  response: z.array(counter),
  looks: 'visit',
})

export const list = endpoint({
  method: 'GET',
  path: '/current-vehicles',
  access: 'CurrentMeasurements',
  device: true,
  system: true,
  summary: 'Lists live vehicles: all, or those that appeared or changed after lastId, in commit order',
  query: addressFilters
    .extend(listFlags.shape)
    .extend(position.shape)
    .extend({
      orderByColumnName: z.enum(sortColumns).default('createdAt'),
      orderDirection: z.enum(sortDirections).default('desc'),
    }),
  response: z.object({
    content: z.array(vehicle),
    /**
     * The newest vehicle in commit order, matching or not, to be sent with the next request. Null without live
     * vehicles.
     */
    lastId: z.int().nullable(),
  }),
  looks: 'visit',
})

/** Identifies a vehicle in events. */
const eventKey = vehicle.pick({ id: true, createdAt: true }).extend({ locationId: z.int() })

/**
 * Why the server ended a stream. A client reconnects with the id of its last event; after `renewal`, which ends each stream
 * after two to five minutes, at once.
 */
export const streamEnds = [
  'renewal',
  'slow-reader',
  'session-changed',
  'too-many-streams',
  'unavailable',
  'shutdown',
] as const

export const stream = endpoint({
  method: 'GET',
  path: '/current-vehicles/stream',
  access: 'CurrentMeasurements',
  device: true,
  system: true,
  summary: 'Streams live vehicles and their changes as server-sent events; Last-Event-ID resumes',
  query: addressFilters.extend(listFlags.shape),
  events: {
    /** All live vehicles, newest first: replaces everything before. Sent first, unless the stream was resumed. */
    list: z.object({ content: z.array(vehicle) }),
    /** Changes since the previous event: new vehicles, oldest first, changed ones, and those no longer live. */
    vehicles: z.object({
      added: z.array(vehicle),
      changed: z.array(vehicle),
      removed: z.array(eventKey),
    }),
    /** Marks that the caller may see of vehicles in the next `list` or `vehicles`; null if a mark was removed. */
    wanted: z.array(eventKey.extend({ wanted: wantedMark.nullable() })),
    /** With `withTags`: the caller's tags of vehicles in the first `list` or `vehicles`, sent before it. */
    tags: z.array(eventKey.extend({ tags: z.array(tag) })),
    /** The number of live vehicles and the last vehicle time of each station, when one of them changed. */
    counters: z.array(counter),
    end: z.object({ reason: z.enum(streamEnds) }),
  },
  looks: 'visit',
})

export const detail = endpoint({
  method: 'GET',
  path: '/current-vehicles/:id',
  access: 'CurrentMeasurements',
  system: true,
  summary: 'Returns a live vehicle, or one of the last day',
  params: vehicleParams,
  query: vehicleKey.extend(listFlags.shape),
  response: vehicle.extend({
    /** State of the station's sign, and whether the caller may control it for this vehicle. */
    plateVms: plateVms.optional(),
    manageable: z.boolean().optional(),
  }),
  looks: 'each',
})

export const image = endpoint({
  method: 'GET',
  path: '/current-vehicles/:id/images/:number',
  access: 'CurrentMeasurements',
  system: true,
  summary: 'Returns an image of a vehicle (JPEG), by its index in images[]',
  params: imageParams,
  query: vehicleKey.extend(imageScale.shape),
  binary: 'image/jpeg',
  looks: 'each',
})

export const report = endpoint({
  method: 'GET',
  path: '/current-vehicles/:id/report',
  access: 'CurrentMeasurements',
  summary: 'Creates the evidence sheet of a vehicle of the live list or of the last day; returns a link',
  params: vehicleParams,
  query: vehicleKey.partial({ locationId: true }).extend({ reportType: z.enum(evidenceTypes).default('pdf') }),
  response: reportLink,
  rate: 'report',
})

export const tags = endpoint({
  method: 'GET',
  path: '/current-vehicles/:id/tags',
  access: 'CurrentMeasurements',
  summary: "Lists the caller's tags of a vehicle",
  params: vehicleParams,
  query: vehicleKey,
  response: z.array(tag),
})

export const addTag = endpoint({
  method: 'POST',
  path: '/current-vehicles/:id/tags',
  access: 'CurrentMeasurements',
  summary: 'Tags a vehicle for the caller only; a repeated request returns the same tag',
  params: vehicleParams,
  query: vehicleKey,
  body: newTag,
  response: tag,
})

export const removeTag = endpoint({
  method: 'DELETE',
  path: '/current-vehicles/:id/tags/:tagId',
  access: 'CurrentMeasurements',
  summary: "Deletes the caller's tag",
  params: tagParams,
  query: vehicleKey,
})

/** Maximum additional time of a user, s: the server keeps vehicles live this long after their checkpoint time. */
export const MAX_ADDITIONAL_SECONDS = 600
