import { useBuild } from '../useBuild.ts'
import { useSelf } from '../useSelf.ts'
import { type Navigation, navigationFor } from './navigation.ts'

/** The navigation links of the current user in this build. */
export function useNavigation(): Navigation {
  const { data: self } = useSelf()
  const { sg } = useBuild()
  return navigationFor(self?.permissions ?? [], sg)
}
