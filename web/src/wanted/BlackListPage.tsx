import { BLACK } from '@rogatka/contract/wanted.ts'
import { PlatesPage } from './PlatesPage.tsx'

export const BlackListPage = () => <PlatesPage key="black" typeOfList={BLACK} />
