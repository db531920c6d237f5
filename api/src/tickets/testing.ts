import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import type { Pool } from '../core/database.ts'
import { filesOnDisk } from '../core/files-disk.ts'
import { Refusal } from '../core/refusal.ts'
import { storeAttachment } from './attachment.ts'
import { insertTicket } from './queries.ts'

/** The body of a report with files, as sent by a browser. */
export const form = (fields: Record<string, string>, ...files: { name: string; bytes: Buffer }[]) => {
  const boundary = '----rogatka'
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const parts = files.flatMap(({ name, bytes }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="attachment"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  return {
    payload: Buffer.concat([Buffer.from(texts.join('')), ...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** An image of one colour. */
export const createImage = (format: 'jpeg' | 'png' | 'webp' | 'gif') =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#14508c' } })
    .toFormat(format)
    .toBuffer()

export const JPEG = await createImage('jpeg')

/** A PDF with a line of text. */
export async function createPdf(draw: (document: PDFKit.PDFDocument) => void = () => {}): Promise<Buffer> {
  const document = new PDFDocument()
  const parts: Buffer[] = []
  document.on('data', (part) => parts.push(part))
  document.text('Protokół')
  draw(document)
  document.end()
  await new Promise((resolve) => document.on('end', resolve))
  return Buffer.concat(parts)
}

/** Stores in memory; returns the stored file, or code and status of the refusal. */
export async function checkAttachment(name: string, bytes: Buffer) {
  const stored: string[] = []
  const files = { ...filesOnDisk('/nowhere', 0, 1_000), put: async (path: string) => void stored.push(path) }
  try {
    const { sha256: _, ...kept } = await storeAttachment(files, { name, bytes })
    return { ...kept, stored: stored.length }
  } catch (error) {
    if (!(error instanceof Refusal) || stored.length > 0) throw error
    return [error.message, error.status]
  }
}

/** An image format that may contain scripts. */
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

/** Adds a ticket that was open from 8 to 9 o'clock UTC on a day of October 2026. */
export const addClosedTicket = (db: Pool, day: number, title: string, description: string) =>
  insertTicket(db, null, {
    title,
    description,
    status: 'closed',
    createdAt: new Date(Date.UTC(2026, 9, day, 8)),
    closedAt: new Date(Date.UTC(2026, 9, day, 9)),
    handleBy: null,
    userId: null,
    reporterName: null,
    reporterEmail: null,
    about: null,
  })
