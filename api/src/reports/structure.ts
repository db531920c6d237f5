/** Internals of pdfkit: object offsets and the catalogue. */
type Internals = {
  _offset: number
  _offsets: (number | null)[]
  _write: (text: string) => void
  _root: { data: Record<string, unknown> }
  page: { dictionary: { id: number; data: Record<string, unknown> } }
}

type Element = {
  id: number
  type: string
  attributes: string
  /** The page of its first content; null if it has none itself. */
  page: number | null
  kids: string[]
}

/** The structure types of PDF 1.7 in use. */
export type ElementType = 'H1' | 'H2' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'Figure'

const ARTIFACT = -1

/** UTF-16, as every reader supports it. */
const textString = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

/** Rows of a document that are tagged as rows of a table; further ones are tagged as paragraphs (077). */
export const MAX_TAGGED_ROWS = 2_000

/** What a header cell heads. */
export type HeaderScope = 'Column' | 'Row'

export const headerAttributes = (scope: HeaderScope): string => `/A<</O/Table/Scope/${scope}>>`

/** Alternative text and bounding box of a figure. */
export const figureAttributes = (alt: string, box: readonly number[]): string =>
  `/Alt${textString(alt)}/A<</O/Layout/Placement/Block/BBox[${box.map((at) => Math.round(at)).join(' ')}]>>`

export type Structure = ReturnType<typeof createStructure>

/**
 * The structure tree of a tagged PDF: headings, paragraphs, tables with rows and cells, for screen readers. pdfkit
 * keeps an object in memory per element, hundreds of thousands in a long list; here they are written page by page, and
 * only open ones are kept.
 */
export function createStructure(document: PDFKit.PDFDocument) {
  const pdf = document as unknown as Internals
  const markInfo = document.ref({ Marked: true })
  pdf._root.data.MarkInfo = markInfo

  const reserve = (): number => pdf._offsets.push(null)
  let pending = ''
  let starts: [id: number, at: number][] = []
  const write = (id: number, body: string): void => {
    starts.push([id, pending.length])
    pending += `${id} 0 obj\n${body}\nendobj\n`
  }
  const flush = (): void => {
    for (const [id, at] of starts) pdf._offsets[id - 1] = pdf._offset + at
    if (pending) pdf._write(pending)
    pending = ''
    starts = []
  }

  const root = reserve()
  const documentElement: Element = { id: reserve(), type: 'Document', attributes: '', page: null, kids: [] }
  const open: Element[] = [documentElement]
  const pages: string[] = []
  /** Elements of the marked content of the page, by its number. */
  let owners: number[] = []
  /** The element whose content is being written. */
  let markedId: number | null = null
  let artifacts = 0
  let rows = 0

  const endMark = (): void => {
    if (markedId !== null) document.addContent('EMC')
    markedId = null
  }

  function markArtifact(): void {
    if (markedId === ARTIFACT) return
    endMark()
    document.addContent('/Artifact BMC')
    markedId = ARTIFACT
  }

  function markContent(): void {
    const element = open.at(-1) as Element
    if (markedId === element.id) return
    endMark()
    const page = pdf.page.dictionary.id
    element.page ??= page
    const number = owners.push(element.id) - 1
    element.kids.push(element.page === page ? String(number) : `<</Type/MCR/Pg ${page} 0 R/MCID ${number}>>`)
    document.addContent(`/${element.type} <</MCID ${number}>> BDC`)
    markedId = element.id
  }

  function begin(type: ElementType, attributes = ''): void {
    open.push({ id: reserve(), type, attributes, page: null, kids: [] })
  }

  function end(): void {
    const { id, type, attributes, page, kids } = open.pop() as Element
    const parent = open.at(-1)
    parent?.kids.push(`${id} 0 R`)
    const pageReference = page === null ? '' : `/Pg ${page} 0 R`
    write(id, `<</S/${type}/P ${parent?.id ?? root} 0 R${pageReference}${attributes}/K[${kids.join(' ')}]>>`)
  }

  function endPage(): void {
    endMark()
    const id = reserve()
    write(id, `[${owners.map((owner) => `${owner} 0 R`).join(' ')}]`)
    pages.push(`${pages.length} ${id} 0 R`)
    owners = []
    flush()
  }

  return {
    begin,
    end,
    /**
     * Tags the drawn content with the innermost element, or a new paragraph outside of all. `isContinued`: the element has
     * content already.
     */
    text(draw: (isContinued: boolean) => void): void {
      if (artifacts > 0) {
        markArtifact()
        draw(false)
      } else if (open.length > 1) {
        const isContinued = (open.at(-1)?.kids.length ?? 0) > 0
        markContent()
        draw(isContinued)
      } else {
        begin('P')
        markContent()
        draw(false)
        endMark()
        end()
      }
    },
    /** Marks the following content as decorative. */
    ornament: markArtifact,
    /** Marks what `draw` draws as an artifact: footers and repeated headers. */
    artifact(draw: () => void): void {
      artifacts++
      draw()
      artifacts--
    },
    /** Call it after adding a page. */
    beginPage(): void {
      pdf.page.dictionary.data.StructParents = pages.length
    },
    endPage,
    /** Counts a row of a table; false if the document has too many rows to tag their cells. */
    countRow: (): boolean => ++rows <= MAX_TAGGED_ROWS,
    /** Whether the cells of all rows are tagged. */
    hasAllCells: (): boolean => rows <= MAX_TAGGED_ROWS,
    /** Call it after the last page. */
    finish(): void {
      while (open.length > 0) end()
      const tree = reserve()
      write(tree, `<</Nums[${pages.join(' ')}]>>`)
      write(
        root,
        `<</Type/StructTreeRoot/K ${documentElement.id} 0 R/ParentTree ${tree} 0 R/ParentTreeNextKey ${pages.length}>>`,
      )
      flush()
      // pdfkit ends this reference; the object itself is already written.
      pdf._root.data.StructTreeRoot = {
        end: () => {},
        [Symbol.toStringTag]: 'Reference',
        toString: () => `${root} 0 R`,
      }
    },
  }
}
