import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, putImage } from '@rogatka/contract/ingest.ts'
import sharp from 'sharp'
import { bodyRequest, openConnection, postRequest } from './http-connection.ts'
import { benchRandom } from './random.ts'
import { trafficFrom } from './traffic.ts'

/** A station that sends: its id and key. */
export type SendingStation = { id: number; key: string }

export type SinglePosts = {
  /** When the response to a vehicle arrived, by its id. */
  acknowledged: ReadonlyMap<number, number>
  /** The id of the vehicle of the last response. */
  lastId: () => number | undefined
  /** Times of posts, in ms, since the last call. */
  takePostTimes: () => number[]
  stop: () => Promise<void>
}

/** Posts vehicles one by one, evenly over the second and the stations, each followed by its images. */
export async function startSinglePosts(
  port: number,
  senders: readonly SendingStation[],
  perSecond: number,
  imageTypes: readonly string[],
): Promise<SinglePosts> {
  const acknowledged = new Map<number, number>()
  let lastId: number | undefined
  const postTimes: number[] = []
  const stopping = new AbortController()
  const jpeg = await createImage()
  const stations = await Promise.all(
    senders.map(async ({ id, key }) => ({
      id,
      headers: { authorization: `Bearer ${key}` },
      next: trafficFrom(id, () => Date.now()),
      connection: await openConnection(port),
      images: await openConnection(port),
    })),
  )
  const send = async ({ id, headers, next, connection, images }: (typeof stations)[number]) => {
    while (!stopping.signal.aborted) {
      const turn = pause((stations.length / perSecond) * 1_000)
      const [vehicle] = next(1)
      if (!vehicle) throw new Error('no vehicle')
      const sentAt = performance.now()
      const response = await connection.send(postRequest(API_BASE + post.path, [vehicle], headers))
      if (!response.startsWith('HTTP/1.1 200')) throw new Error(response)
      const at = performance.now()
      lastId = id * 2 ** 40 + vehicle.sequence
      acknowledged.set(lastId, at)
      postTimes.push(at - sentAt)
      for (const type of imageTypes) {
        const path = putImage.path.replace(':sequence', String(vehicle.sequence)).replace(':type', type)
        const address = `${API_BASE}${path}?createdAt=${vehicle.createdAt}`
        await images.send(bodyRequest('PUT', address, jpeg, { ...headers, 'content-type': 'image/jpeg' }))
      }
      await turn
    }
    connection.close()
    images.close()
  }
  const sending = stations.map(async (station, at) => {
    await pause((at / perSecond) * 1_000)
    await send(station)
  })
  return {
    acknowledged,
    lastId: () => lastId,
    takePostTimes: () => postTimes.splice(0),
    stop: async () => {
      stopping.abort()
      await Promise.all(sending)
    },
  }
}

/** A JPEG of about 60 kB. */
function createImage(): Promise<Buffer> {
  const [width, height] = [1_280, 960]
  const random = benchRandom(11)
  const noise = Buffer.from(Array.from({ length: width * height * 3 }, () => 110 + random.below(8)))
  return sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 50 })
    .toBuffer()
}
