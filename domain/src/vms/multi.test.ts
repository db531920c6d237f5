import { expect, test } from 'vitest'
import { inspectionLines, multiText, toMulti } from './multi.ts'

test('inspection message has the plate below the inspection word, both centred', () => {
  expect(toMulti({ graphic: null, lines: inspectionLines('WX12345') })).toBe('[jp3][jl3]KONTROLA[nl]WX12345')
  expect(toMulti({ graphic: null, lines: inspectionLines(null) })).toBe('[jp3][jl3]CIEZAROWE[nl]KONTROLA')
})

test('content is a graphic, lines or both, with escaped brackets', () => {
  expect(toMulti({ graphic: 3, lines: [] })).toBe('[g3]')
  expect(toMulti({ graphic: 3, lines: ['ZJAZD', 'NA WAGĘ'] })).toBe('[g3][jp3][jl3]ZJAZD[nl]NA WAGE')
  const multi = toMulti({ graphic: null, lines: ['[A]', 'Łódź'] })
  expect(multi).toBe('[jp3][jl3][[A]][nl]Lodz')
  expect(multiText(multi)).toBe('[A]\nLodz')
  expect(multiText('')).toBe('')
})

test('signs show letters without accents, and a question mark for what has no such letter', () => {
  expect(toMulti({ graphic: null, lines: ['Mała Łódź', 'É 漢'] })).toBe('[jp3][jl3]Mala Lodz[nl]E ?')
})

test('the text of a message has a line for each new line and page, without blanks around it', () => {
  expect(multiText('[g3][jp3] ZJAZD[nl]NA[np]WAGE [nl]')).toBe('ZJAZD\nNA\nWAGE')
})
