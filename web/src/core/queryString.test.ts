import { expect, test } from 'vitest'
import { queryString } from './queryString.ts'

test('builds no query string without parameters', () => {
  expect(queryString()).toBe('')
  expect(queryString({ plateLpr: '', locations: [], lastId: undefined, createdAt: null })).toBe('')
})

test('empty values are dropped, also from within lists', () => {
  expect(queryString({ plateLpr: '', page: 1, ctg8p1: ['9', '', 'lack'] })).toBe('?page=1&ctg8p1=9&ctg8p1=lack')
})

test('lists repeat their key; locations are joined by commas', () => {
  expect(queryString({ locations: [7, 8], laneNumbers: [1, 2] })).toBe('?locations=7,8&laneNumbers=1&laneNumbers=2')
})

test('a zero is left out of bounds only', () => {
  expect(queryString({ minSpeed: 0, maxTotalLoad: '0', page: 0, typesOfLists: [0], minutes: 0 })).toBe(
    '?page=0&typesOfLists=0&minutes=0',
  )
})

test('false is a value', () => {
  expect(queryString({ withTags: true, allTrucks: false })).toBe('?withTags=true&allTrucks=false')
})

test('escapes reserved characters', () => {
  expect(queryString({ plateLpr: 'WÓ*&?', createdAt: '2026-10-20T08:15:24.000Z' })).toBe(
    '?plateLpr=W%C3%93*%26%3F&createdAt=2026-10-20T08%3A15%3A24.000Z',
  )
})
