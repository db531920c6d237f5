/** What is used of pdfkit beyond its types: where its objects begin, and its catalogue. */
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
  /** The page on which its content begins; null as long as it has none of its own. */
  page: number | null
  kids: string[]
}

/** Structure types of PDF 1.7 that documents here are made of. */
export type ElementType = 'H1' | 'H2' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'Figure'

const ARTIFACT = -1

/** UTF-16, which every reader understands as text. */
const textString = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

/** Column heads name what they head. */
export const HEADS_COLUMN = '/A<</O/Table/Scope/Column>>'

/** A picture says what it shows, and where it is. */
export const figureAttributes = (alt: string, box: readonly number[]): string =>
  `/Alt${textString(alt)}/A<</O/Layout/Placement/Block/BBox[${box.map((at) => Math.round(at)).join(' ')}]>>`

/**
 * The structure tree of a document: headings, paragraphs, tables with rows and cells, for those who do not see the
 * page. pdfkit keeps an object in memory for each element; a long list has hundreds of thousands, so here they are
 * written with their page, and only the open ones are kept.
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
  const whole: Element = { id: reserve(), type: 'Document', attributes: '', page: null, kids: [] }
  const open: Element[] = [whole]
  const pages: string[] = []
  /** By their numbers, the elements that the marked contents of the page belong to. */
  let owners: number[] = []
  /** Whose content is being written. */
  let marked: number | null = null
  let artifacts = 0

  const endMark = (): void => {
    if (marked !== null) document.addContent('EMC')
    marked = null
  }

  function markArtifact(): void {
    if (marked === ARTIFACT) return
    endMark()
    document.addContent('/Artifact BMC')
    marked = ARTIFACT
  }

  function markContent(): void {
    const element = open.at(-1) as Element
    if (marked === element.id) return
    endMark()
    const page = pdf.page.dictionary.id
    element.page ??= page
    const number = owners.push(element.id) - 1
    element.kids.push(element.page === page ? String(number) : `<</Type/MCR/Pg ${page} 0 R/MCID ${number}>>`)
    document.addContent(`/${element.type} <</MCID ${number}>> BDC`)
    marked = element.id
  }

  function begin(type: ElementType, attributes = ''): void {
    open.push({ id: reserve(), type, attributes, page: null, kids: [] })
  }

  function end(): void {
    const { id, type, attributes, page, kids } = open.pop() as Element
    const parent = open.at(-1)
    parent?.kids.push(`${id} 0 R`)
    const place = page === null ? '' : `/Pg ${page} 0 R`
    write(id, `<</S/${type}/P ${parent?.id ?? root} 0 R${place}${attributes}/K[${kids.join(' ')}]>>`)
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
    /** What is drawn next belongs to the innermost element, outside of all to a paragraph of its own. */
    text(draw: () => void): void {
      if (artifacts > 0) markArtifact()
      else if (open.length > 1) markContent()
      else {
        begin('P')
        markContent()
        draw()
        endMark()
        end()
        return
      }
      draw()
    },
    /** What is drawn next is an ornament, and no part of what the document says. */
    ornament: markArtifact,
    /** All that is drawn meanwhile says nothing new: foots, and heads that are repeated. */
    artifact(draw: () => void): void {
      artifacts++
      draw()
      artifacts--
    },
    /** After a page was added. */
    beginPage(): void {
      pdf.page.dictionary.data.StructParents = pages.length
    },
    endPage,
    /** After the last page. */
    finish(): void {
      while (open.length > 0) end()
      const tree = reserve()
      write(tree, `<</Nums[${pages.join(' ')}]>>`)
      write(root, `<</Type/StructTreeRoot/K ${whole.id} 0 R/ParentTree ${tree} 0 R/ParentTreeNextKey ${pages.length}>>`)
      flush()
      // pdfkit ends what it finds here; the object itself is written already.
      pdf._root.data.StructTreeRoot = {
        end: () => {},
        [Symbol.toStringTag]: 'Reference',
        toString: () => `${root} 0 R`,
      }
    },
  }
}
