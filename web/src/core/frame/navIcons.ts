import { ChartIcon, ListIcon, MapIcon, RoadIcon, ScaleIcon, SignIcon } from '../../ui/icons.tsx'
import type { NavTarget } from './navigation.ts'

const ICONS: Record<string, typeof RoadIcon> = {
  '/overview': MapIcon,
  '/': RoadIcon,
  '/inspections': ScaleIcon,
  '/archival': ListIcon,
  '/stat': ChartIcon,
  '/offenders': ChartIcon,
  '/vms': SignIcon,
}

/** The icon of a page; lists have no own one. */
export const iconOf = ({ to }: Pick<NavTarget, 'to'>): typeof RoadIcon => ICONS[to] ?? ListIcon
