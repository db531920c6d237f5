import { expect, test } from 'vitest'
import { reportedPage } from './reportedPage.ts'

test.each([
  ['/', '/'],
  ['/archival?plateLpr=WGM4K281&step=4', '/archival?step=4'],
  ['/archival/result?locations=7,8&plateLpr=WGM4K281#WGM4K281', '/archival/result?locations=7,8'],
  ['/archival?locations=%5B7%2C8%5D&step=WGM4K281', '/archival?locations=7,8'],
  [
    '/vehicleArch/7696581394433/7/2026-10-20T06%3A00%3A00.000Z?step=4',
    '/vehicleArch/7696581394433/7/2026-10-20T06:00:00.000Z?step=4',
  ],
  ['/user-management?username=jkowalski&page=2', '/user-management?page=2'],
  ['/tickets/12/edit', '/tickets/12/edit'],
  [
    '/stat?id=1&locationId=2&location=3&station=4&lane=5&year=2026&month=11',
    '/stat?id=1&locationId=2&location=3&station=4&lane=5&year=2026&month=11',
  ],
  ['/archival?locations=12,345&step=7WGM4K281', '/archival?locations=12,345'],
])('the page %s is stored as %s', (address, kept) => {
  expect(reportedPage(address)).toBe(kept)
})

test.each([
  '',
  'WGM4K281',
  '/WGM4K281',
  '/archival/wgm4k281',
  '/reset-password/reset/jan@example.com',
  '/%E0%A4%A',
  '//example.com',
  'WGM4K281/archival',
  '?step=4',
])('an unknown path %s is not stored', (address) => {
  expect(reportedPage(address)).toBeNull()
})
