import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { useCountdown } from '../vehicle/publicApi.ts'

type Props = { hit: Pick<WireOpenHit, 'checkpointTime' | 'createdAt'>; className?: string | undefined }

/** Time to the checkpoint; counts on behind it, as long as the hit is open. */
export const HitCountdown = ({ hit, className }: Props) => (
  <b className={className} role="timer" data-countdown ref={useCountdown(hit, Number.POSITIVE_INFINITY)} />
)
