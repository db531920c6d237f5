import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { Axles } from './Axles.tsx'
import { Images } from './Images.tsx'
import { Loads } from './Loads.tsx'
import { Parameters } from './Parameters.tsx'
import type { PassageKey } from './useVehicleSource.ts'
import { VehicleHeader } from './VehicleHeader.tsx'
import css from './VehiclePage.module.css'

/** All data of one vehicle. */
export const VehicleDetail = ({ passage, vehicle }: { passage: PassageKey; vehicle: WireVehicle }) => (
  <div className={css.detail}>
    <VehicleHeader source={passage.source} vehicle={vehicle} />
    <Images vehicle={vehicle} />
    <Loads vehicle={vehicle} />
    <Parameters vehicle={vehicle} />
    <Axles vehicle={vehicle} />
  </div>
)
