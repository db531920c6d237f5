import { hasAnyRight, hasRight } from '@rogatka/contract/access.ts'
import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import { isVehicleKind } from '@rogatka/domain/alarms/kinds.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSelf } from '../core/useSelf.ts'
import css from './Alarms.module.css'

type Target = { to: string; search?: object }

/** Where the cause of an alarm is, or what to do about its kind if the user may not open that page. */
function targetOf({ kind, location, vehicle }: WireAlarm, permissions: readonly string[]): Target {
  const locations = location ? [location.id] : undefined
  if (isVehicleKind(kind) && vehicle && location && hasRight(permissions, 'CurrentMeasurements'))
    return { to: `/vehicle/${vehicle.id}/${location.id}` }
  if (kind.startsWith('sign-') && hasRight(permissions, 'Vms')) return { to: '/vms', search: { locations } }
  if (
    kind.startsWith('certificate-') &&
    hasAnyRight(permissions, ['ScaleCertificates', 'InspectionReview', 'Inspections'])
  )
    return { to: '/scale-certificates', search: location ? { tab: 'lanes', station: location.id } : {} }
  if (kind === 'class-not-earned' && hasRight(permissions, 'Stat')) return { to: '/statistics/effectiveness' }
  if (kind === 'outbox-stuck' && hasAnyRight(permissions, ['UserManagement']))
    return { to: '/user-activity', search: { tab: 'outbox' } }
  if (location && hasAnyRight(permissions, ['UsersAdmin', 'Tickets'])) return { to: '/station-health' }
  return { to: '/alarms', search: { tab: 'kinds' } }
}

/** Link from an alarm to its cause. */
export function CauseLink({ alarm, children }: { alarm: WireAlarm; children: ReactNode }) {
  const { data: self } = useSelf()
  const { to, search = {} } = targetOf(alarm, self?.permissions ?? [])
  return (
    <Link to={to} search={search} className={css.plain}>
      {children}
    </Link>
  )
}
