import { OFFSET_PLACEHOLDER, SIGNATURE_BYTES } from '../reports/public-api.ts'
import { isCanonical, readSignedData, type SignedData } from './cms.ts'

/* The place of a signature in a PDF (ISO 32000-1, 12.8.1), as our documents have it: everything but the signature is signed. */

const EMPTY = Buffer.from(`<${'00'.repeat(SIGNATURE_BYTES)}>`)
const RANGE_START = '/ByteRange ['
const RANGE_PLACEHOLDER = `${RANGE_START}0 ${[1, 2, 3].map(() => OFFSET_PLACEHOLDER).join(' ')}]`

/** Fills in the offsets and the signature. @throws Error if the document has no empty signature field */
export function placeSignature(document: Buffer, signRanges: (content: Buffer) => Buffer): Buffer {
  const pdf = Buffer.from(document)
  const start = pdf.lastIndexOf(EMPTY)
  const ranges = pdf.lastIndexOf(RANGE_PLACEHOLDER, start)
  if (start < 0 || ranges < 0) throw new Error('PDF: there is no empty signature field')
  const end = start + EMPTY.length
  const text = `${RANGE_START}0 ${start} ${end} ${pdf.length - end}`
  pdf.write(`${text.padEnd(RANGE_PLACEHOLDER.length - 1)}]`, ranges)
  return withSignature(pdf, { start, end }, signRanges(contentOf(pdf, { start, end })))
}

/** Where the signature is, with its brackets. */
export type Gap = { start: number; end: number }

const contentOf = (pdf: Buffer, { start, end }: Gap): Buffer =>
  Buffer.concat([pdf.subarray(0, start), pdf.subarray(end)])

/** A copy with this signature in its place, and zeros after it. @throws Error if it does not fit */
function withSignature(pdf: Buffer, { start, end }: Gap, signature: Buffer): Buffer {
  if (signature.length > (end - start - 2) / 2) throw new Error('PDF: the signature is larger than its place')
  const copy = Buffer.from(pdf)
  copy.write(signature.toString('hex').padEnd(end - start - 2, '0'), start + 1, 'latin1')
  return copy
}

/** Parts of a signed document. */
export type SignedPdf = {
  /** All bytes that are signed. */
  content: Buffer
  gap: Gap
  signed: SignedData
  /** Whether each byte of the signature means something, and only zeros follow. */
  isExact: boolean
  /** A copy with this signature. */
  replace: (signature: Buffer) => Buffer
}

/** Why a PDF has no signature over all of it: there is none, or it cannot be read. */
export type PdfFault = 'no-signature' | 'byte-range' | 'signature'

/** Takes a document apart that is signed as ours are: one signature, over everything else. */
export function readSignedPdf(pdf: Buffer): SignedPdf | PdfFault {
  const at = pdf.lastIndexOf(RANGE_START)
  if (at < 0) return 'no-signature'
  const text = pdf.toString('latin1', at, at + RANGE_PLACEHOLDER.length)
  const [, start = 0, end = 0, rest = 0] = (/\[0 (\d+) (\d+) (\d+) *\]$/.exec(text) ?? []).map(Number)
  const isWhole = start > at && end > start + 2 && end + rest === pdf.length
  if (!isWhole || pdf[start] !== 0x3c || pdf[end - 1] !== 0x3e) return 'byte-range'
  const digits = pdf.toString('latin1', start + 1, end - 1)
  const bytes = Buffer.from(digits, 'hex')
  if (bytes.toString('hex') !== digits) return 'signature'
  try {
    const length = bytes[1] === 0x82 ? bytes.readUInt16BE(2) + 4 : 0
    const signature = bytes.subarray(0, length)
    const signed = readSignedData(signature)
    const isExact = isCanonical(signed, signature) && bytes.subarray(length).every((byte) => byte === 0)
    return {
      content: contentOf(pdf, { start, end }),
      gap: { start, end },
      signed,
      isExact,
      replace: (other: Buffer) => withSignature(pdf, { start, end }, other),
    }
  } catch {
    return 'signature'
  }
}
