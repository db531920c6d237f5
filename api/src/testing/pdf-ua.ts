import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import { type PdfDictionary, type PdfObjects, type PdfValue, readPdfObjects } from './pdf-objects.ts'

/* The basic rules of PDF/UA-1 (ISO 14289-1), as the Matterhorn Protocol lists them; content is read by pdf.js. */

/** A structure element with those below it. */
type Element = { type: string; dictionary: PdfDictionary; id: string; kids: Element[]; content: [string, number][] }

/** Children that an element must have, by its type. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  '/Table': ['/THead', '/TBody', '/TR'],
  '/THead': ['/TR'],
  '/TBody': ['/TR'],
  '/TR': ['/TH', '/TD'],
}
const KNOWN_TYPES = ['/Document', '/H1', '/H2', '/H3', '/P', '/Figure', '/TH', '/TD', ...Object.keys(CHILDREN)]

/**
 * Broken rules of a PDF, in words; none if it follows them. `summary`: how many headings, tables and figures it has.
 * `isTagged`: false of one with rows that are not cells.
 */
export async function checkPdf(pdf: Buffer, { isTagged = true } = {}): Promise<{ errors: string[]; summary: string }> {
  const objects = readPdfObjects(pdf)
  const errors = [...catalogueErrors(objects), ...fontErrors(objects)]
  const tree = objects.dictionary(objects.root['/StructTreeRoot'])
  const elements = readElements(objects, tree)
  errors.push(...elementErrors(objects, elements), ...parentTreeErrors(objects, tree, elements))

  const document = await getDocumentProxy(new Uint8Array(pdf))
  const { info, metadata } = await document.getMetadata()
  const { Title: title, Author: author } = info as { Title?: string; Author?: string }
  if (!title) errors.push('no title')
  const creator = metadata?.get('dc:creator')
  if (creator?.join() !== author) errors.push(`author of the metadata: ${creator}`)
  if (metadata?.get('dc:title') !== title) errors.push(`title of the metadata: ${metadata?.get('dc:title')}`)
  const part = metadata?.get('pdfuaid:part') ?? null
  if (part !== (isTagged ? '1' : null)) errors.push(`part of PDF/UA: ${part}`)
  for (let number = 1; number <= document.numPages; number++) errors.push(...(await pageErrors(document, number)))
  await document.cleanup()
  const count = (...types: string[]) => elements.filter(({ type }) => types.includes(type)).length
  const counts = { headings: count('/H1', '/H2', '/H3'), tables: count('/Table'), figures: count('/Figure') }
  const summary = Object.entries(counts).map(([name, number]) => `${number} ${name}`)
  return { errors, summary: summary.join(', ') }
}

function catalogueErrors({ root, all, dictionary }: PdfObjects): string[] {
  const errors: string[] = []
  if (!/^\([a-z]{2}\)$/.test(String(root['/Lang']))) errors.push('no language')
  if (dictionary(root['/MarkInfo'])['/Marked'] !== true) errors.push('not marked')
  if (dictionary(root['/ViewerPreferences'])['/DisplayDocTitle'] !== true) errors.push('title not displayed')
  for (const value of all.values()) {
    const page = dictionary(value)
    if (page['/Type'] !== '/Page') continue
    if (page['/Tabs'] !== '/S') errors.push('tab order')
    for (const annotation of (page['/Annots'] as PdfValue[] | undefined) ?? [])
      if (!dictionary(annotation)['/Contents']) errors.push('annotation without contents')
  }
  return errors
}

/** Fonts are embedded, and their text can be extracted. */
function fontErrors({ all, dictionary, array }: PdfObjects): string[] {
  const fonts = [...all.values()].map(dictionary).filter((font) => font['/Type'] === '/Font')
  return fonts
    .filter((font) => !String(font['/Subtype']).startsWith('/CIDFont'))
    .flatMap((font) => {
      const inner = font['/Subtype'] === '/Type0' ? dictionary(array(font['/DescendantFonts'])[0]) : font
      const descriptor = dictionary(inner['/FontDescriptor'])
      const isEmbedded = ['/FontFile', '/FontFile2', '/FontFile3'].some((key) => key in descriptor)
      return [
        ...(isEmbedded ? [] : [`font ${font['/BaseFont']} not embedded`]),
        ...('/ToUnicode' in font ? [] : [`font ${font['/BaseFont']} without ToUnicode`]),
      ]
    })
}

/** All elements in reading order. */
function readElements({ dictionary, array }: PdfObjects, tree: PdfDictionary): Element[] {
  const elements: Element[] = []
  const read = (reference: PdfValue, parent: Element | null): void => {
    const found = dictionary(reference)
    const element = { type: String(found['/S']), dictionary: found, id: String(reference), kids: [], content: [] }
    elements.push(element)
    parent?.kids.push(element)
    for (const kid of array(found['/K'])) {
      const marked = dictionary(kid)
      if (typeof kid === 'number') element.content.push([String(found['/Pg']), kid] as never)
      else if (marked['/Type'] === '/MCR')
        element.content.push([String(marked['/Pg'] ?? found['/Pg']), Number(marked['/MCID'])] as never)
      else read(kid, element)
    }
  }
  for (const kid of array(tree['/K'])) read(kid, null)
  return elements
}

const describeElement = ({ type, id }: Element) => `${type.slice(1)} ${id}`

function elementErrors({ dictionary, array }: PdfObjects, elements: readonly Element[]): string[] {
  const errors: string[] = []
  let level = 0
  for (const element of elements) {
    const { type, kids } = element
    const name = describeElement(element)
    if (!KNOWN_TYPES.includes(type)) errors.push(`${name}: unknown type`)
    for (const kid of kids)
      if (kid.dictionary['/P'] !== element.id) errors.push(`${describeElement(kid)}: other parent`)
    const heading = /^\/H(\d)$/.exec(type)
    if (heading) {
      if (Number(heading[1]) > level + 1) errors.push(`${name}: heading after level ${level}`)
      level = Number(heading[1])
    }
    const attributes = array(element.dictionary['/A']).map(dictionary)
    const attribute = (key: string) => attributes.find((one) => key in one)?.[key]
    if (type === '/TH' && !['/Column', '/Row', '/Both'].includes(String(attribute('/Scope'))))
      errors.push(`${name}: no scope`)
    if (type === '/Figure') {
      if (!element.dictionary['/Alt'] || element.dictionary['/Alt'] === '<feff>') errors.push(`${name}: no alternative`)
      if (!attribute('/BBox')) errors.push(`${name}: no bounding box`)
    }
    const allowed = CHILDREN[type]
    if (allowed) {
      if (element.content.length > 0) errors.push(`${name}: content outside cells`)
      if (kids.length === 0) errors.push(`${name}: empty`)
      for (const kid of kids) if (!allowed.includes(kid.type)) errors.push(`${name}: has ${describeElement(kid)}`)
    } else if (kids.some((kid) => ['/TR', '/TH', '/TD', '/THead', '/TBody'].includes(kid.type)))
      errors.push(`${name}: cells outside a table`)
    if (type === '/Table') errors.push(...tableErrors(element))
  }
  if (elements[0]?.type !== '/Document') errors.push('no document element')
  if (elements.find(({ type }) => /^\/H\d$/.test(type))?.type !== '/H1') errors.push('no first heading')
  return errors
}

function tableErrors(table: Element): string[] {
  const rows = table.kids.flatMap((kid) => (kid.type === '/TR' ? [kid] : kid.kids))
  const widths = new Set(rows.map(({ kids }) => kids.length))
  const hasHeader = rows.some(({ kids }) => kids.some(({ type }) => type === '/TH'))
  return [
    ...(widths.size > 1 ? [`${describeElement(table)}: rows of ${[...widths].join(', ')} cells`] : []),
    ...(hasHeader ? [] : [`${describeElement(table)}: no header`]),
  ]
}

/** The tree of parents leads from marked content to the same elements. */
function parentTreeErrors({ dictionary, array, all }: PdfObjects, tree: PdfDictionary, elements: readonly Element[]) {
  const numbers = array(dictionary(tree['/ParentTree'])['/Nums'])
  const errors: string[] = []
  const owners = new Map<string, string>()
  for (const [object, value] of all) {
    const page = dictionary(value)
    if (page['/Type'] !== '/Page') continue
    const at = numbers.findIndex((key, index) => index % 2 === 0 && key === page['/StructParents'])
    if (at < 0) errors.push(`page ${object}: not in the parent tree`)
    for (const [id, owner] of array(numbers[at + 1]).entries()) owners.set(`${object} R ${id}`, String(owner))
  }
  for (const element of elements)
    for (const [page, id] of element.content) {
      if (owners.get(`${page} ${id}`) !== element.id) errors.push(`${describeElement(element)}: other owner of ${id}`)
      owners.delete(`${page} ${id}`)
    }
  for (const content of owners.keys()) errors.push(`content ${content} in no element`)
  return errors
}

const PAINTS = /^(showText|showSpacedText|stroke|fill|eoFill|shadingFill|paint(?!FormXObject(Begin|End)))|Stroke$/

/** Everything painted is in an element of the tree, or an artifact. */
async function pageErrors(document: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<string[]> {
  const { OPS } = await getResolvedPDFJS()
  const names = new Map(Object.entries(OPS).map(([name, operator]) => [operator as number, name]))
  const page = await document.getPage(number)
  const { fnArray, argsArray } = await page.getOperatorList()
  const errors = new Set<string>()
  const marks: ('artifact' | 'content')[] = []
  for (const [i, operator] of fnArray.entries()) {
    const name = names.get(operator) ?? ''
    const [tag, id] = argsArray[i] ?? []
    if (name === 'beginMarkedContent') {
      const isArtifact = (tag as { name?: string }).name === 'Artifact'
      if (!isArtifact) errors.add(`page ${number}: content without a number`)
      marks.push(isArtifact ? 'artifact' : 'content')
    } else if (name === 'beginMarkedContentProps') {
      if (tag !== 'Artifact' && typeof id !== 'number') errors.add(`page ${number}: content without a number`)
      if (marks.length > 0) errors.add(`page ${number}: ${tag} within ${marks.join()}`)
      marks.push(tag === 'Artifact' ? 'artifact' : 'content')
    } else if (name === 'endMarkedContent') marks.pop()
    else if (PAINTS.test(name) && marks.length === 0) errors.add(`page ${number}: ${name} outside of marked content`)
  }
  if (marks.length > 0) errors.add(`page ${number}: marked content not ended`)
  return [...errors]
}
