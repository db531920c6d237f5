import { oneOf } from '../core/urlParams.ts'

const tabs = ['history'] as const

/** URL parameters of the page of a vehicle: its tab, if it is not the first one. */
export type VehicleSearch = { tab?: (typeof tabs)[number] | undefined }

export const readVehicleSearch = ({ tab }: Record<string, unknown>): VehicleSearch => ({ tab: oneOf(tabs, tab) })
