import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { instant } from './wire.ts'

/* Apart from the lists, as every page loads it. */

export const owner = z.object({ id: z.int(), username: z.string() })

/** Rights to hits of black lists. */
export const HITS = ['WantedList', 'BlackList'] as const

/** Who did something about a hit, and when. */
export const userAction = z.object({ by: owner, at: instant })

/** Maximum number of open hits in a response: those that pass next, then the newest. */
export const MAX_OPEN_HITS = 100

export const openHit = z.object({
  /** Vehicle id. */
  id: z.int(),
  /** Time of the vehicle's measurement. */
  createdAt: instant,
  location: z.object({ id: z.int(), shortName: z.string(), direction: z.string() }),
  laneNumber: z.int(),
  /** As the camera read it. */
  plateLpr: z.string(),
  nationality: z.string().nullable(),
  /** In km/h. */
  speed: z.int().nullable(),
  ctg8p1: z.int().nullable(),
  numberOfAxles: z.int().nullable(),
  checkpointTime: instant.nullable(),
  /** The entries visible to the caller, oldest first. */
  entries: z.array(
    z.object({
      id: z.int(),
      plateLpr: z.string(),
      description: z.string(),
      user: owner,
      createdAt: instant,
      expiresAt: instant.nullable(),
    }),
  ),
  /** Who attends to the vehicle; null: nobody yet. */
  taken: userAction.nullable(),
})
export type OpenHit = z.output<typeof openHit>
export type WireOpenHit = z.input<typeof openHit>

const openHitList = z.object({ content: z.array(openHit) })

export const openHits = endpoint({
  method: 'GET',
  path: '/wanted-hits/open',
  access: HITS,
  device: true,
  summary:
    'Lists the hits of visible black-list entries that nobody has closed, soonest at the checkpoint first, then the ' +
    'newest: at most 100, until the end of the shift. Answered from memory',
  response: openHitList,
  looks: 'visit',
  shows: 'hits',
})

/** Why the server ended a stream of hits. After `renewal`, as after two to five minutes, a client reconnects at once. */
export const hitStreamEnds = ['renewal', 'slow-reader', 'session-changed', 'too-many-streams', 'shutdown'] as const

export const hitStream = endpoint({
  method: 'GET',
  path: '/wanted-hits/stream',
  access: HITS,
  device: true,
  summary: 'Streams the open hits as server-sent events: all of them at the start and after each change',
  events: {
    hits: openHitList,
    end: z.object({ reason: z.enum(hitStreamEnds) }),
  },
  looks: 'visit',
})
