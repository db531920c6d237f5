import { oneOf, positiveIn } from '../core/urlParams.ts'

const tabs = ['history'] as const

export type VehicleSearch = {
  /** Wizard step of the list from which the vehicle was opened. */
  step?: number | undefined
  /** The open tab, if it is not the first one. */
  tab?: (typeof tabs)[number] | undefined
}

/** Parses the URL; malformed values are omitted. */
export const readVehicleSearch = ({ step, tab }: Record<string, unknown>): VehicleSearch => ({
  step: positiveIn(step),
  tab: oneOf(tabs, tab),
})
