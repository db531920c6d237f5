import { expect, test } from 'vitest'
import { type Group, limitRows, matchingRows, type Row } from './rows.ts'

const row = (label: string): Row => ({ id: label, label, open: '/' })
const group = (name: Group['name'], ...labels: string[]): Group => ({ name, rows: labels.map(row) })
const listed = (groups: Group[]) => groups.map(({ name, rows }) => [name, ...rows.map(({ label }) => label)].join(' '))

test('lists at most three rows of a group and eight in all, the best of each group first', () => {
  expect(listed(limitRows([group('pages', 'a', 'b', 'c', 'd'), group('actions')]))).toEqual(['pages a b c'])
  const all = (['plates', 'stations', 'users', 'pages', 'actions'] as const).map((name) => group(name, 'a', 'b', 'c'))
  expect(listed(limitRows(all))).toEqual(['plates a b', 'stations a b', 'users a b', 'pages a', 'actions a'])
  expect(listed(limitRows(all.slice(2)))).toEqual(['users a b c', 'pages a b c', 'actions a b'])
})

test('orders rows by the position of the match, and equal ones as given', () => {
  const rows = ['Podgrupy', 'S8 Graby', 'Grupy', 'S7 Grójec', 'Wyszków'].map(row)
  expect(matchingRows(rows, 'gr').map(({ label }) => label)).toEqual(['Grupy', 'S8 Graby', 'S7 Grójec', 'Podgrupy'])
})
