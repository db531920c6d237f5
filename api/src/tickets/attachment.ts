import { createHash } from 'node:crypto'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { type AttachmentType, attachmentTypes, MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import sharp from 'sharp'
import type { Files } from '../core/files.ts'
import { decodeExclusively } from '../core/image-scaler.ts'
import { Refusal } from '../core/refusal.ts'
import { storable } from '../core/text.ts'
import { endOfImage, type ImageType } from './image-end.ts'
import { isPdfHarmless } from './pdf-scan.ts'
import type { NewAttachment } from './queries.ts'
import type { AttachmentContent } from './zammad.ts'

/** Maximum width × height × bytes per pixel, against decompression bombs. */
const MAX_DECODED_BYTES = 256 * 1024 * 1024
const FIELD = 'attachment'

const EXTENSIONS: Record<AttachmentType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'application/pdf': 'pdf',
}

/** The type by magic number; null if not accepted. */
function typeOf(bytes: Buffer): AttachmentType | null {
  const startsWith = (text: string, at = 0) => bytes.subarray(at, at + text.length).toString('latin1') === text
  if (startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'image/gif'
  if (startsWith('RIFF') && startsWith('WEBP', 8)) return 'image/webp'
  return startsWith('%PDF-') ? 'application/pdf' : null
}

/**
 * Content that a browser or an interpreter would execute if it ignored the type; followed by text, as active content
 * always is.
 */
const ACTIVE_CONTENT =
  /(?:<(?:script|svg|html|body|iframe|object|embed)[\s/>]|<!doctype\s+html|<\?php)[\s\x20-\x7e]{8}/i

/**
 * ZIP files are read from the end, so one could be appended to an image: looks for its end-of-central-directory record.
 */
const endsAsZip = (bytes: Buffer): boolean => bytes.subarray(-66_000).includes('PK\x05\x06\0\0\0\0', 0, 'latin1')

const isActive = (bytes: Buffer): boolean => ACTIVE_CONTENT.test(bytes.toString('latin1')) || endsAsZip(bytes)

async function checkImage(bytes: Buffer, type: ImageType, maxPixels: number): Promise<void> {
  // First, as it limits the scans of a JPEG, each of which takes time to decode.
  const end = endOfImage(bytes, type)
  if (end === null) throw new Refusal('attachment-damaged', 422, FIELD)
  try {
    await decodeExclusively(async () => {
      // Decoded completely, to reject truncated images.
      const image = sharp(bytes, { failOn: 'truncated', limitInputPixels: MAX_DECODED_BYTES })
      const { format, width, height, channels, depth } = await image.metadata()
      if (format !== type.replace('image/', '')) throw new Error(format)
      const pixelBytes = channels * (depth === 'ushort' ? 2 : 1)
      const pixels = width * height
      if (pixels > maxPixels || pixels * pixelBytes > MAX_DECODED_BYTES)
        throw new Refusal('picture-too-large', 422, FIELD)
      await image.resize(16).raw().toBuffer()
    })
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('attachment-damaged', 422, FIELD)
  }
  if (end < bytes.length || isActive(bytes)) throw new Refusal('attachment-not-harmless', 422, FIELD)
}

async function checkPdf(bytes: Buffer): Promise<void> {
  const text = (from: number, to?: number) => bytes.subarray(from, to).toString('latin1')
  // %PDF-1.7 … startxref, the offset of the xref table, %%EOF: missing in truncated files.
  const xrefOffset = Number(/startxref\s+(\d+)\s+%%EOF[\s\0]*$/.exec(text(-1_100))?.[1] ?? Number.NaN)
  const isTable = /^\s*(xref\b|\d+\s+\d+\s+obj\b)/.test(text(xrefOffset, xrefOffset + 40))
  if (!/^%PDF-[12]\.\d/.test(text(0, 16)) || !isTable) throw new Refusal('attachment-damaged', 422, FIELD)
  if (ACTIVE_CONTENT.test(text(0, 1_024)) || endsAsZip(bytes) || !(await isPdfHarmless(bytes))) {
    throw new Refusal('attachment-not-harmless', 422, FIELD)
  }
}

/** The file name without folders and special characters, with the extension of its content type. */
export function safeName(name: string, type: AttachmentType): string {
  const last = storable(name).split(/[\\/]/).at(-1) ?? ''
  const stem = last
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N} ._()-]/gu, '_')
    .replace(/^[. ]+|[. ]+$/g, '')
    .slice(0, 80)
  return `${stem || 'attachment'}.${EXTENSIONS[type]}`
}

/** The Content-Disposition header for a name in any script (RFC 6266). */
export const contentDisposition = (name: string): string => {
  const plain = name.normalize('NFD').replace(/[^\x20-\x7e]|["\\%]/g, '')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** Folder of the files of tickets. */
const FOLDER = 'tickets'

const pathOf = (sha256: string, folder: string): string => `${folder}/${sha256.slice(0, 2)}/${sha256}`

/** Which error names the accepted types, and how many pixels an image may have. */
type CheckOptions = { unaccepted?: ErrorCode; maxPixels?: number }

/**
 * Validates a file by its content; returns its type.
 * @throws 413 too large, 415 unaccepted type, 422 damaged, with too many pixels or with active content
 */
export async function checkAttachment<T extends AttachmentType>(
  bytes: Buffer,
  types: readonly T[],
  { unaccepted = 'attachment-kind-not-accepted', maxPixels = Number.POSITIVE_INFINITY }: CheckOptions = {},
): Promise<T> {
  if (bytes.length > MAX_ATTACHMENT_BYTES) throw new Refusal('attachment-too-large', 413, FIELD)
  const type = types.find((accepted) => accepted === typeOf(bytes))
  if (!type) throw new Refusal(unaccepted, 415, FIELD)
  if (type === 'application/pdf') await checkPdf(bytes)
  else await checkImage(bytes, type as ImageType, maxPixels)
  return type
}

type Upload = { name: string; bytes: Buffer }

/** A valid file that is not stored yet. */
export type CheckedAttachment = NewAttachment & { bytes: Buffer }

/**
 * Validates files by their content.
 * @throws as `checkAttachment`
 */
export async function checkAttachments(
  uploads: readonly Upload[],
  types: readonly AttachmentType[] = attachmentTypes,
): Promise<CheckedAttachment[]> {
  const checked: CheckedAttachment[] = []
  for (const { name, bytes } of uploads) {
    const type = await checkAttachment(bytes, types)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    checked.push({ name: safeName(name, type), type, size: bytes.length, sha256, bytes })
  }
  return checked
}

/** Stores files before their rows, so that no row lacks its file. The same content is stored once. */
export async function putAttachments(files: Files, checked: readonly CheckedAttachment[], folder = FOLDER) {
  for (const { sha256, bytes } of checked) await files.put(pathOf(sha256, folder), bytes)
}

/**
 * Validates and stores one file.
 * @throws as `checkAttachment`
 */
export async function storeAttachment(files: Files, upload: Upload): Promise<NewAttachment> {
  const checked = await checkAttachments([upload])
  await putAttachments(files, checked)
  const [{ bytes: _, ...stored }] = checked as [CheckedAttachment]
  return stored
}

/** The bytes of a stored file; null if missing. */
export const attachmentBytes = (
  files: Files,
  { sha256 }: { sha256: string },
  folder = FOLDER,
): Promise<Buffer | null> => files.get(pathOf(sha256, folder))

/** Removes the file of a feature in its folder. */
export const removeAttachment = (files: Files, sha256: string, folder: string): Promise<void> =>
  files.remove(pathOf(sha256, folder))

type StoredFile = { name: string; type: AttachmentType; sha256: string }

/** Stored files in the form of the ticket service, without missing ones. */
export async function readAttachments(files: Files, stored: readonly StoredFile[]): Promise<AttachmentContent[]> {
  const read: AttachmentContent[] = []
  for (const file of stored) {
    const bytes = await attachmentBytes(files, file)
    if (bytes) read.push({ filename: file.name, bytes, type: file.type })
  }
  return read
}
