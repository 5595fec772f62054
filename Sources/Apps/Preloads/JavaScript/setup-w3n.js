// In the head of an app's page: `window.w3n`.
import { setUpPage } from './page/setup.js'
import { componentCapabilities } from './w3n/capabilities.js'

setUpPage(componentCapabilities)
