import { BLACK } from '@rogatka/contract/options.ts'
import { PlatesPage } from './PlatesPage.tsx'

export const BlackListPage = () => <PlatesPage key="black" typeOfList={BLACK} />
