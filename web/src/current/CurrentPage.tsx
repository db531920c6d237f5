import { hasRight } from '@rogatka/contract/access.ts'
import { useSelf } from '../core/useSelf.ts'
import { useAllSigns } from '../vms/publicApi.ts'
import { CurrentWizard } from './CurrentWizard.tsx'
import { Welcome } from './Welcome.tsx'

/** Home page: the live list, or a welcome page without its right. */
export function CurrentPage() {
  const { data: self } = useSelf()
  // Preloads the signs for the detail page.
  useAllSigns()
  if (!self) return null
  return hasRight(self.permissions, 'CurrentMeasurements') ? <CurrentWizard /> : <Welcome />
}
