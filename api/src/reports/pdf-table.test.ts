import { languages } from '@rogatka/contract/languages.ts'
import { listPages } from '@rogatka/domain/core/listDocument.ts'
import { expect, test } from 'vitest'
import { type PageTable, pdfTable } from './pdf-table.ts'
import { MAX_TAGGED_ROWS } from './structure.ts'
import { collectBytes, elementsByRole, extractPages, readStructure } from './testing.ts'
import { reportTexts } from './texts.ts'

type Row = { name: string }

const LETTERS = 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ čėįšųūžČĖĮŠŲŪŽ äöüßÄÖÜ ăâîșțĂÂÎȘȚ €–…·'

async function* batches(rows: Row[]) {
  for (let at = 0; at < rows.length; at += 7) yield rows.slice(at, at + 7)
}

const table = (rows: Row[], differing: Partial<PageTable<Row>> = {}): PageTable<Row> => ({
  title: 'Wykaz',
  language: 'pl',
  printedBy: 'Jan Żak (jzak)',
  issuer: 'Zarząd Dróg',
  now: new Date('2026-10-20T08:00:00Z'),
  criteria: [['Okres', 'jedna doba']],
  columns: [
    { title: 'Nazwa', width: 4, draw: ({ name }, { x, base }, { pdf }) => pdf.text(name, x, base) },
    {
      title: 'Numer',
      width: 1,
      align: 'right',
      draw: (_, { x, base, width }, { pdf }, number) => pdf.text(`#${number}#`, x + width, base, { align: 'right' }),
    },
  ],
  rows: batches(rows),
  summary: () => [['Razem', String(rows.length)]],
  ...differing,
})
const printed = async (given: PageTable<Row>) => extractPages(await collectBytes(pdfTable(given)))
const many = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `wiersz${at}.` }))

test('has every row once, in order, and the header on every page', async () => {
  const pages = await printed(table(many(100)))
  expect(pages.length).toBeGreaterThan(3)
  const numbers = pages.join(' ').match(/#\d+#/g)
  expect(numbers).toEqual(many(100).map((_, at) => `#${at + 1}#`))
  for (const page of pages) if (/#\d+#/.test(page)) expect(page).toContain('Nazwa')
  expect(pages[0]).toContain('jedna doba')
  expect(pages.at(-1)).toMatch(/Razem\s+100/)
})

test.each([0, 22, 23, 24, 46, 47, 49, 50, 51, 100])('the number of pages of %i rows is predicted', async (rows) => {
  const { length } = await printed(table(many(rows), { legend: [['czerwony', 'naruszenie']], number: 'A', note: 'b' }))
  expect(length).toBe(listPages(rows, { criteria: 3, blocks: [1, 1], hasNote: true }))
})

test('every page has its number, the page count, the author and the time', async () => {
  const pages = await printed(table(many(60)))
  for (const [at, page] of pages.entries()) {
    expect(page).toMatch(new RegExp(`strona ${at + 1} z\\s*${pages.length}(?!\\d)`))
    expect(page).toContain('Sporządził(a): Jan Żak (jzak), 20.10.2026 10:00:00')
    expect(page).toContain('Zarząd Dróg')
  }
})

test.each(languages)('states in %s that there are no rows', async (language) => {
  const [page] = await printed(table([], { language }))
  expect(page).toContain(reportTexts(language).nothing)
  expect(page).toContain(reportTexts(language).summary)
})

test('letters of all five languages are extractable, and missing glyphs become question marks', async () => {
  const [page] = await printed(table([{ name: LETTERS }, { name: '漢' }], { title: LETTERS }))
  expect(page?.split(LETTERS)).toHaveLength(3)
  expect(page).toContain('¿')
})

test('is tagged with headings and one table of all pages, without repeated headers', async () => {
  const bytes = await collectBytes(pdfTable(table(many(100), { legend: [['czerwony', 'naruszenie']] })))
  const pages = await readStructure(bytes)
  expect(pages.length).toBeGreaterThan(3)
  expect(elementsByRole(pages, 'H1').map(({ text }) => text)).toEqual(['Wykaz'])
  expect(elementsByRole(pages, 'H2').map(({ text }) => text)).toEqual(['Podsumowanie', 'Objaśnienia'])
  expect(elementsByRole(pages, 'TH').map(({ text }) => text)).toEqual(['Nazwa', 'Numer'])
  const cells = elementsByRole(pages, 'TBody').flatMap((body) =>
    elementsByRole([body], 'TR').map((row) => row.children),
  )
  expect(cells.map((row) => row.map(({ role, text }) => `${role} ${text}`))).toEqual(
    many(100).map(({ name }, at) => [`TD ${name}`, `TD #${at + 1}#`]),
  )
  expect(elementsByRole(pages, 'P').map(({ text }) => text)).toEqual([
    'Wystawca Zarząd Dróg',
    'Okres jedna doba',
    'Razem 100',
    'czerwony naruszenie',
  ])
  const text = bytes.toString('latin1')
  expect(text).toContain('/Marked true')
  expect(text).toContain('<pdfuaid:part>1<')
  expect(text).toMatch(/\/Lang \(pl\)/)
})

test('tags cells up to a number of rows, and whole rows beyond it', async () => {
  const rows = many(MAX_TAGGED_ROWS + 2)
  const bytes = await collectBytes(pdfTable(table(rows)))
  // It does not claim to follow PDF/UA.
  expect(bytes.includes('pdfuaid')).toBe(false)
  const pages = await readStructure(bytes, 2)
  const last = elementsByRole(pages, 'TBody').flatMap((body) => elementsByRole([body], 'TR').map((row) => row.children))
  expect(last.at(-1)?.map(({ text }) => text)).toEqual([`wiersz${MAX_TAGGED_ROWS - 1}.`, `#${MAX_TAGGED_ROWS}#`])
  expect(elementsByRole(pages, 'P').map(({ text }) => text)).toEqual([
    `wiersz${MAX_TAGGED_ROWS}. #${MAX_TAGGED_ROWS + 1}#`,
    `wiersz${MAX_TAGGED_ROWS + 1}. #${MAX_TAGGED_ROWS + 2}#`,
    `Razem ${rows.length}`,
  ])
})

test('draws rows only as fast as pages are consumed', async () => {
  let requestedRows = 0
  async function* endless() {
    while (true) {
      requestedRows++
      yield many(10)
    }
  }
  let pages = 0
  for await (const part of pdfTable(table([], { rows: endless() }))) {
    if (part.length > 0 && ++pages === 3) break
  }
  expect(requestedRows).toBeLessThan(20)
})
