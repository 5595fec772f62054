// In the head of the page where people sign in and up: another `window.w3n`.
import { setUpPage } from './page/setup.js'
import { startupCapabilities } from './w3n/startup.js'

setUpPage(startupCapabilities)
