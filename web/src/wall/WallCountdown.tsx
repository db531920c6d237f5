import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { MISSING } from '../core/format.ts'
import { useCountdown } from '../vehicle/publicApi.ts'

type Props = {
  of: Pick<WireVehicle, 'checkpointTime' | 'createdAt'>
  additionalSeconds: number
  /** The data is too old to count down. */
  isLost: boolean
  className: string | undefined
}

/** Time to the checkpoint; none on old data, as it would be wrong. */
export const WallCountdown = ({ isLost, ...props }: Props) =>
  isLost ? <div className={props.className}>{MISSING}</div> : <Counting {...props} />

const Counting = ({ of, additionalSeconds, className }: Omit<Props, 'isLost'>) => (
  <div className={className} role="timer" ref={useCountdown(of, additionalSeconds)} />
)
