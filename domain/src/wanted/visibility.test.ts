import { permissionsOf, type Right } from '@rogatka/contract/access.ts'
import { expect, test } from 'vitest'
import { canUseList, type ListMark, markFor } from './visibility.ts'

const viewer = (userId: number, ...rights: Right[]) => ({
  userId,
  permissions: rights.flatMap((right) => permissionsOf(right).slice(0, 1)),
})
const mark = (userId: number, typeOfList: 0 | 1, description: string): ListMark => ({
  userId,
  typeOfList,
  plate: 'WX12345',
  description,
})

test('a list is open with the right to all lists or its own', () => {
  const opened = (right: Right) => [0, 1].filter((type) => canUseList(viewer(1, right).permissions, type as 0 | 1))
  expect(opened('WantedList')).toEqual([0, 1])
  expect(opened('BlackList')).toEqual([0])
  expect(opened('WhiteList')).toEqual([1])
  expect(opened('Contacts')).toEqual([])
})

test("one's own entries count, those of others only with UserManagement, and no list without its right", () => {
  const marks = [mark(1, 0, 'mine'), mark(2, 0, 'theirs')]
  expect(markFor(viewer(1, 'BlackList'), marks)).toEqual({ typeOfList: 0, description: 'mine' })
  expect(markFor(viewer(3, 'BlackList', 'UserManagement'), marks)?.description).toBe('mine · theirs')
  expect(markFor(viewer(3, 'BlackList'), marks)).toBeUndefined()
  expect(markFor(viewer(1, 'WhiteList'), marks)).toBeUndefined()
})

test('wanted precedes white-listed, without duplicate descriptions', () => {
  const marks = [mark(1, 1, 'service'), mark(1, 0, 'stolen'), mark(1, 0, 'stolen')]
  expect(markFor(viewer(1, 'WantedList'), marks)).toEqual({ typeOfList: 0, description: 'stolen' })
  expect(markFor(viewer(1, 'WhiteList'), marks)).toEqual({ typeOfList: 1, description: 'service' })
})

test('masks plates in descriptions for anonymised viewers with any spacing', () => {
  const restricted = viewer(1, 'WantedList', 'Anonymization')
  expect(markFor(restricted, [mark(1, 0, 'wx 123-45 or WX12345')])?.description).toBe('WX***** or WX*****')
})
