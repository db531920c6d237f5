import { type ImageType, imageTypes } from '@rogatka/contract/vehicle.ts'

/** A vehicle, or one of its images, in a seal. Digest in hexadecimal digits: of the record, or of the file. */
export type SealedItem = { id: number; createdAt: Date; type: ImageType | null; digest: string }

/** Header of the seal of what a station delivered in a minute. */
export type SealHeader = {
  locationId: number
  minute: Date
  /** Counts the seals of the station from 1. */
  number: number
  /** The previous seal in hexadecimal digits; 64 zeros before the first one. */
  previous: string
}

const byTime = (a: SealedItem, b: SealedItem) =>
  a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id || rankOf(a) - rankOf(b)

/** A vehicle precedes its images. */
const rankOf = ({ type }: SealedItem) => (type === null ? -1 : imageTypes.indexOf(type))

/** The lines of a seal, by time, id and type of image: id, time and digest, and the type if it is an image. */
export const sealLines = (items: readonly SealedItem[]): string =>
  items
    .toSorted(byTime)
    .map(
      ({ id, createdAt, type, digest }) =>
        `${id} ${createdAt.toISOString()} ${digest}${type === null ? '' : ` ${type}`}\n`,
    )
    .join('')

/** Parses the lines; null for one that is malformed. */
export const parseSealLines = (lines: string): (SealedItem | null)[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id = '', time = '', digest = '', type = null, ...rest] = line.split(' ')
      const image = imageTypes.find((one) => one === type) ?? null
      const isKnown = rest.length === 0 && (type === null || image !== null) && /^[0-9a-f]{64}$/.test(digest)
      return isKnown ? { id: Number(id), createdAt: new Date(time), type: image, digest } : null
    })

/** The text of which a seal is the SHA-256. */
export const sealText = ({ locationId, minute, number, previous }: SealHeader, lines: string): string =>
  `station ${locationId}\nminute ${minute.toISOString()}\nnumber ${number}\nprevious ${previous}\n${lines}`
