/** Internals of pdfkit. */
type Internals = {
  _root: { data: Record<string, unknown> }
  page: { dictionary: object; annotations: unknown[] }
  endAcroForm: () => void
}

/** Bytes that are reserved for a signature with its time stamp. */
export const SIGNATURE_BYTES = 16_384
/** In place of offsets: as wide as any of them. */
export const OFFSET_PLACEHOLDER = 9_999_999_999

type SignatureField = {
  /** What the field is, for screen readers. */
  description: string
  signer: string
  at: Date
}

/**
 * Adds a signature field to the current page, hidden, with room for a signature (ISO 32000-1, 12.8; ETSI EN 319 142-1). The
 * offsets of its ByteRange and the signature are filled in when the file is whole.
 */
export function addSignatureField(document: PDFKit.PDFDocument, { description, signer, at }: SignatureField): void {
  const pdf = document as unknown as Internals
  const value = document.ref({
    Type: 'Sig',
    Filter: 'Adobe.PPKLite',
    SubFilter: 'ETSI.CAdES.detached',
    ByteRange: [0, OFFSET_PLACEHOLDER, OFFSET_PLACEHOLDER, OFFSET_PLACEHOLDER],
    Contents: Buffer.alloc(SIGNATURE_BYTES),
    M: at,
    Name: new String(signer),
  })
  const field = document.ref({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    // Hidden and locked: PDF/UA asks for a structure element of visible ones.
    F: 2 | 128,
    Rect: [0, 0, 0, 0],
    P: pdf.page.dictionary,
    T: new String('Signature'),
    TU: new String(description),
    Contents: new String(description),
    V: value,
  })
  pdf.page.annotations.push(field)
  const form = document.ref({ Fields: [field], SigFlags: 1 | 2 })
  pdf._root.data.AcroForm = form
  // pdfkit demands the fonts of a form, which this one does not have.
  pdf.endAcroForm = () => {}
  for (const part of [value, field, form]) part.end('')
}
