/* The parts of a workbook (ECMA-376) except its rows, which are written in xlsx.ts. */

import { escapeXml } from '@rogatka/domain/core/xml.ts'

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006'
const SHEET_ML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Numbers of the cell formats in `styles`. */
export const STYLE = {
  text: 8,
  head: 1,
  time: 2,
  wrapped: 3,
  title: 4,
  number: [5, 6, 7],
  red: { text: 9, number: [10, 11, 12] },
  bold: { text: 13, number: [14, 15, 16] },
} as const

/** A, B … Z, AA; from 0. */
export const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

const cellFormat = (attributes: string, alignment = '<alignment vertical="center"/>') =>
  `<xf ${attributes}>${alignment}</xf>`

export const styles = (): string =>
  `${XML_DECLARATION}<styleSheet xmlns="${MAIN}">
<numFmts count="2"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="0.0"/></numFmts>
<fonts count="4"><font><sz val="10"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="10"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="14"/><name val="Calibri"/><family val="2"/></font><font><b/><sz val="10"/><color rgb="FFB01E1A"/><name val="Calibri"/><family val="2"/></font></fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFE9ECEC"/></patternFill></fill></fills>
<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom style="thin"><color rgb="FF717E83"/></bottom><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="17">${[
    cellFormat('numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"'),
    cellFormat(
      'numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"',
      '<alignment vertical="center" wrapText="1"/>',
    ),
    cellFormat(
      'numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"',
      '<alignment horizontal="left" vertical="center"/>',
    ),
    cellFormat(
      'numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"',
      '<alignment vertical="top" wrapText="1"/>',
    ),
    cellFormat('numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"'),
    cellFormat('numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"'),
    cellFormat('numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"'),
    cellFormat('numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyAlignment="1"'),
    // The first format means a cell without any, so text has its own.
    cellFormat('numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"'),
    ...[0, 1, 165, 2].map((format) =>
      cellFormat(
        `numFmtId="${format}" fontId="3" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyAlignment="1"`,
      ),
    ),
    ...[0, 1, 165, 2].map((format) =>
      cellFormat(
        `numFmtId="${format}" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyAlignment="1"`,
      ),
    ),
  ].join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`

/** `last` is the last cell, for filter and repeated header; `printedUpTo` is the last printed column. */
export function workbook(sheets: readonly [string, string], last: string, printedUpTo?: string): string {
  const quoted = escapeXml(`'${sheets[0].replaceAll("'", "''")}'`)
  const [, column = 'A', row = '1'] = /^([A-Z]+)(\d+)$/.exec(last) ?? []
  return `${XML_DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView activeTab="0"/></bookViews><sheets>${sheets
    .map((name, index) => `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join(
      '',
    )}</sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">${quoted}!$A$1:$${column}$${row}</definedName>${printedUpTo ? `<definedName name="_xlnm.Print_Area" localSheetId="0">${quoted}!$A$1:$${printedUpTo}$${row}</definedName>` : ''}<definedName name="_xlnm.Print_Titles" localSheetId="0">${quoted}!$1:$1</definedName></definedNames></workbook>`
}

const relation = (id: number, kind: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${RELATIONS}/${kind}" Target="${target}"/>`

const relations = (list: string[]) =>
  `${XML_DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`

export const rootRelations = (): string =>
  relations([
    relation(1, 'officeDocument', 'xl/workbook.xml'),
    `<Relationship Id="rId2" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
  ])

export const workbookRelations = (): string =>
  relations([
    relation(1, 'worksheet', 'worksheets/sheet1.xml'),
    relation(2, 'worksheet', 'worksheets/sheet2.xml'),
    relation(3, 'styles', 'styles.xml'),
  ])

export const sheetRelations = (): string => relations([relation(1, 'drawing', '../drawings/drawing1.xml')])

export const drawingRelations = (images: number): string =>
  relations(Array.from({ length: images }, (_, i) => relation(i + 1, 'image', `../media/image${i + 1}.jpeg`)))

export const contentTypes = (drawing: boolean): string =>
  `${XML_DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="jpeg" ContentType="image/jpeg"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_ML}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_ML}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${SHEET_ML}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_ML}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>${
    drawing
      ? '<Override PartName="/xl/drawings/drawing1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>'
      : ''
  }</Types>`

export const properties = (title: string, creator: string, at: Date): string =>
  `${XML_DECLARATION}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(title)}</dc:title><dc:creator>${escapeXml(creator)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${at.toISOString().slice(0, 19)}Z</dcterms:created></cp:coreProperties>`

/** An image in the first column: its row (from 0) and size in px. */
type CellImage = { row: number; width: number; height: number; name: string }

/** 1 px is 9,525 English metric units. */
const EMU = 9_525
const MARGIN = 3

/** An image anchored in its cell, so that it moves and hides with sorted and filtered rows. */
export function anchor({ row, width, height, name }: CellImage, id: number): string {
  const marker = (tag: string, x: number, y: number) =>
    `<xdr:${tag}><xdr:col>0</xdr:col><xdr:colOff>${x * EMU}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${y * EMU}</xdr:rowOff></xdr:${tag}>`
  return `<xdr:twoCellAnchor editAs="twoCell">${marker('from', MARGIN, MARGIN)}${marker('to', MARGIN + width, MARGIN + height)}<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="${id}" name="${escapeXml(name)}" descr="${escapeXml(name)}"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId${id}"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${width * EMU}" cy="${height * EMU}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic><xdr:clientData/></xdr:twoCellAnchor>`
}

export const drawing = (anchors: readonly string[]): string =>
  `${XML_DECLARATION}<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${RELATIONS}">${anchors.join('')}</xdr:wsDr>`

/** Freezes rows and columns. */
const pane = (columns: number, rows: number) => {
  const corner = `${columnName(columns)}${rows + 1}`
  if (columns === 0)
    return `<pane ySplit="${rows}" topLeftCell="${corner}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>`
  return `<pane xSplit="${columns}" ySplit="${rows}" topLeftCell="${corner}" activePane="bottomRight" state="frozen"/><selection pane="topRight"/><selection pane="bottomLeft"/><selection pane="bottomRight"/>`
}

/**
 * The start of a sheet, one page wide in print: optional frozen rows and columns, and column widths. One sheet of a
 * workbook is selected.
 */
export const sheetStart = (
  widths: readonly number[],
  frozenColumns: number | null,
  { rows = 1, isSelected = true }: { rows?: number; isSelected?: boolean } = {},
): string =>
  `${XML_DECLARATION}<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"${frozenColumns === null ? '/>' : `${isSelected ? ' tabSelected="1"' : ''}>${pane(frozenColumns, rows)}</sheetView>`}</sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${widths
    .map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`

/** The end of a sheet, with an optional filter up to the last cell and an optional drawing. */
export const sheetEnd = (last: string | null, hasDrawing: boolean): string =>
  `</sheetData>${last ? `<autoFilter ref="A1:${last}"/>` : ''}<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>${hasDrawing ? '<drawing r:id="rId1"/>' : ''}</worksheet>`
