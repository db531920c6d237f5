import { hasRight } from '@rogatka/contract/access.ts'
import { useSelf } from '../core/useSelf.ts'
import { useAllSigns } from '../vms/publicApi.ts'
import { CurrentWizard } from './CurrentWizard.tsx'
import { Welcome } from './Welcome.tsx'

/** Home: the live list, or a greeting for those who may not see it. */
export function CurrentPage() {
  const { data: self } = useSelf()
  // Home knows the signs before a vehicle's detail needs one.
  useAllSigns()
  if (!self) return null
  return hasRight(self.permissions, 'CurrentMeasurements') ? <CurrentWizard /> : <Welcome />
}
