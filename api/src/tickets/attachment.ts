import { createHash } from 'node:crypto'
import { type AttachmentType, MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import sharp from 'sharp'
import type { Files } from '../core/files.ts'
import { Refusal } from '../core/refusal.ts'
import { createSemaphore } from '../core/semaphore.ts'
import { storable } from '../core/text.ts'
import { endOfImage, type ImageType } from './image-end.ts'
import { isPdfHarmless } from './pdf-scan.ts'
import type { NewAttachment } from './queries.ts'
import type { SentAttachment } from './zammad.ts'

/** Width × height × bytes of a pixel: an image that unfolds to more is an attack on our memory. */
const MAX_DECODED_BYTES = 256 * 1024 * 1024
const FIELD = 'attachment'

const ENDINGS: Record<AttachmentType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
}

/** What the first bytes say; null where it is none of what is accepted. */
function typeOf(bytes: Buffer): AttachmentType | null {
  const begins = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString('latin1') === text
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  return begins('%PDF-') ? 'application/pdf' : null
}

/** What a browser or a shell would run if it took the file for another kind: with text behind it, as it always has. */
const ACTIVE = /(?:<(?:script|svg|html|body|iframe|object|embed)[\s/>]|<!doctype\s+html|<\?php)[\s\x20-\x7e]{8}/i

/** A zip is read from its end, so one may hang behind any picture: its last record says that it is on no other disk. */
const endsAsZip = (bytes: Buffer): boolean => bytes.subarray(-66_000).includes('PK\x05\x06\0\0\0\0', 0, 'latin1')

const isActive = (bytes: Buffer): boolean => ACTIVE.test(bytes.toString('latin1')) || endsAsZip(bytes)

/** Decoding takes up to 256 MB, so it is done for one image at a time. */
const decoding = createSemaphore(1)

async function checkImage(bytes: Buffer, type: ImageType): Promise<void> {
  const leave = await decoding.acquire()
  try {
    // Decoded to the end, so that half a picture is not kept for good.
    const picture = sharp(bytes, { failOn: 'truncated', limitInputPixels: MAX_DECODED_BYTES })
    const { format, width, height, channels, depth } = await picture.metadata()
    if (format !== type.replace('image/', '')) throw new Error(format)
    const pixelBytes = channels * (depth === 'ushort' ? 2 : 1)
    if (width * height * pixelBytes > MAX_DECODED_BYTES) throw new Refusal('picture-too-large', 422, FIELD)
    await picture.resize(16).raw().toBuffer()
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('attachment-damaged', 422, FIELD)
  } finally {
    leave?.()
  }
  const end = endOfImage(bytes, type)
  if (end === null) throw new Refusal('attachment-damaged', 422, FIELD)
  if (end < bytes.length || isActive(bytes)) throw new Refusal('attachment-not-harmless', 422, FIELD)
}

async function checkPdf(bytes: Buffer): Promise<void> {
  const text = (from: number, to?: number) => bytes.subarray(from, to).toString('latin1')
  // %PDF-1.7 … startxref, the place of the table of objects, %%EOF: whoever cut the file off has cut this off.
  const place = Number(/startxref\s+(\d+)\s+%%EOF[\s\0]*$/.exec(text(-1_100))?.[1] ?? Number.NaN)
  const isTable = /^\s*(xref\b|\d+\s+\d+\s+obj\b)/.test(text(place, place + 40))
  if (!/^%PDF-[12]\.\d/.test(text(0, 16)) || !isTable) throw new Refusal('attachment-damaged', 422, FIELD)
  if (ACTIVE.test(text(0, 1_024)) || endsAsZip(bytes) || !(await isPdfHarmless(bytes))) {
    throw new Refusal('attachment-not-harmless', 422, FIELD)
  }
}

/** The name without folders and signs that mean something, with the ending that its content asks for. */
export function safeName(given: string, type: AttachmentType): string {
  const last = storable(given).split(/[\\/]/).at(-1) ?? ''
  const stem = last
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 80)
  return `${stem || 'attachment'}.${ENDINGS[type]}`
}

/** What the header of a download carries of a name in any script. */
export const disposition = (name: string): string => {
  const plain = name.normalize('NFD').replace(/[^\x20-\x7e]|["\\%]/g, '')
  const coded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${coded}`
}

const pathOf = (sha256: string): string => `tickets/${sha256.slice(0, 2)}/${sha256}`

/**
 * Checks a file by its content and stores it: the row follows, so it never points at nothing. The same content is stored
 * once.
 * @throws a refusal that says what is wrong: too large, of another kind, damaged, or more than it seems
 */
export async function storeAttachment(files: Files, given: { name: string; bytes: Buffer }): Promise<NewAttachment> {
  const { bytes } = given
  if (bytes.length > MAX_ATTACHMENT_BYTES) throw new Refusal('attachment-too-large', 413, FIELD)
  const type = typeOf(bytes)
  if (!type) throw new Refusal('attachment-kind-not-accepted', 415, FIELD)
  if (type === 'application/pdf') await checkPdf(bytes)
  else await checkImage(bytes, type)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await files.put(pathOf(sha256), bytes)
  return { name: safeName(given.name, type), type, size: bytes.length, sha256 }
}

/** The bytes of a stored file; null where they are gone. */
export const attachmentBytes = (files: Files, { sha256 }: { sha256: string }): Promise<Buffer | null> =>
  files.get(pathOf(sha256))

type StoredFile = { name: string; type: AttachmentType; sha256: string }

/** Stored files as the ticket service takes them; one that is gone is left out. */
export async function readAttachments(files: Files, stored: readonly StoredFile[]): Promise<SentAttachment[]> {
  const read: SentAttachment[] = []
  for (const file of stored) {
    const bytes = await attachmentBytes(files, file)
    if (bytes) read.push({ filename: file.name, bytes, type: file.type })
  }
  return read
}
