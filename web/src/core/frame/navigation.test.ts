import { permissionsOf, type Right } from '@rogatka/contract/access.ts'
import { expect, test } from 'vitest'
import { isAt, isNotInSg, type NavTarget, navigationFor, statisticsTabsFor, targetAt } from './navigation.ts'

const permissionsFor = (...rights: Right[]) => rights.flatMap((right) => permissionsOf(right))
const names = (targets: NavTarget[]) => targets.map(({ to }) => to)

test('shows no link without its right', () => {
  expect(navigationFor([], false)).toEqual({
    main: [],
    moreOnPhone: [],
    management: [],
    wanted: [],
    elsewhere: [],
  })
  expect(names(navigationFor(permissionsFor('Stat'), false).main)).toEqual(['/stat'])
})

test('the tab of repeat offenders needs its right and data that is not anonymised', () => {
  const tabs = (...rights: Right[]) => statisticsTabsFor(permissionsFor(...rights)).map(({ to }) => to)
  const ofStatistics = ['/stat', '/statistics/traffic', '/statistics/loads', '/statistics/effectiveness']
  expect(tabs('Stat')).toEqual(ofStatistics)
  expect(tabs('Stat', 'Offenders')).toEqual([...ofStatistics, '/offenders'])
  expect(tabs('Stat', 'Offenders', 'Anonymization')).toEqual(ofStatistics)
  // One link leads to all of them.
  const main = (...rights: Right[]) => names(navigationFor(permissionsFor(...rights), false).main)
  expect(main('Stat', 'Offenders')).toEqual(['/stat'])
  expect(main('Offenders')).toEqual(['/offenders'])
  expect(main('Offenders', 'Anonymization')).toEqual([])
})

test('orders the main links', () => {
  const all = permissionsFor('CurrentMeasurements', 'Inspections', 'ArchiveMeasurements', 'Stat', 'Vms')
  const { main, moreOnPhone } = navigationFor(all, false)
  expect(names(main)).toEqual(['/overview', '/', '/inspections', '/archival', '/stat', '/vms'])
  expect(names(moreOnPhone)).toEqual(['/stat', '/vms'])
  // Without inspections their place at the foot is that of the signs.
  const withoutInspections = permissionsFor('CurrentMeasurements', 'ArchiveMeasurements', 'Stat', 'Vms')
  expect(names(navigationFor(withoutInspections, false).moreOnPhone)).toEqual(['/stat'])
})

test('the management menu shows what its user may open', () => {
  expect(names(navigationFor(permissionsFor('Tickets'), false).management)).toEqual([
    '/tickets',
    '/station-health',
    '/alarms',
    '/evidence',
  ])
  expect(names(navigationFor(permissionsFor('UserManagement'), false).management)).toEqual([
    '/user-management',
    '/user-activity',
    '/role-group-management',
    '/calibration',
    '/calibration-deviation',
  ])
})

test('the management menu shows scales and certificates to all who may read them', () => {
  const managementFor = (right: Right) => names(navigationFor(permissionsFor(right), false).management)
  expect(managementFor('ScaleCertificates')).toEqual(['/scale-certificates'])
  expect(managementFor('InspectionReview')).toEqual(['/scale-certificates', '/evidence'])
})

test('alarms and the report of a shift need no Admin, but a right to what they show', () => {
  const elsewhere = (right: Right) => names(navigationFor([permissionsOf(right)[0] as string], false).elsewhere)
  expect(elsewhere('CurrentMeasurements')).toEqual(['/alarms', '/shift-report'])
  for (const right of ['Vms', 'BlackList', 'Inspections'] as const) expect(elsewhere(right)).toEqual(['/shift-report'])
  expect(elsewhere('Stat')).toEqual([])
})

test('shows each list of monitored vehicles by its own right', () => {
  const { wanted, management } = navigationFor(permissionsFor('BlackList', 'Contacts'), false)
  expect(names(wanted)).toEqual(['/black-list', '/contact'])
  expect(management).toEqual([])
})

test('the SG variant has no live measurements, signs, failure reports and calibration', () => {
  const all = permissionsFor('CurrentMeasurements', 'ArchiveMeasurements', 'Stat', 'Vms', 'Tickets', 'UserManagement')
  const { main, management } = navigationFor(all, true)
  expect(names(main)).toEqual(['/archival', '/stat'])
  expect(names(management)).toEqual(['/user-management', '/user-activity', '/role-group-management', '/evidence'])
})

test('marks live and archive on their vehicle pages', () => {
  const [, live, archive] = navigationFor(permissionsFor('CurrentMeasurements', 'ArchiveMeasurements'), false).main
  if (!live || !archive) throw new Error('both links are there')
  expect(isAt(live, '/')).toBe(true)
  expect(isAt(live, '/vehicle/7/1')).toBe(true)
  expect(isAt(live, '/vehicleArch/7/1/2026-10-20T06:00:00.000Z')).toBe(false)
  expect(isAt(live, '/stat')).toBe(false)
  expect(isAt(archive, '/vehicleArch/7/1/2026-10-20T06:00:00.000Z')).toBe(true)
  expect(isAt(archive, '/archival/result')).toBe(true)
  expect(isAt(archive, '/vehicle/7/1')).toBe(false)
})

test('both addresses of the user list have one place in the menu', () => {
  expect(targetAt('/users')).toBe(targetAt('/user-management'))
  expect(targetAt('/preference')).toBeUndefined()
})

test('the SG variant has no pages of signs, failure reports, station health and calibration, and the others have', () => {
  for (const path of [
    '/overview',
    '/vms',
    '/tickets',
    '/tickets/7/edit',
    '/station-health',
    '/alarms',
    '/shift-report',
    '/scale-certificates',
    '/sign-groups',
    '/devices',
    '/calibration',
    '/calibration-deviation',
  ])
    expect([path, isNotInSg(path, true), isNotInSg(path, false)]).toEqual([path, true, false])
  for (const path of ['/', '/vehicle/7/1', '/archival', '/stat', '/users'])
    expect([path, isNotInSg(path, true)]).toEqual([path, false])
})
