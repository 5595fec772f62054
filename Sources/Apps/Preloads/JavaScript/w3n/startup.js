// The capabilities of the page where people sign in and up.
import { jsonObservable, jsonProgress } from './client.js'
import { calls } from './groups.js'
import { testStand } from './test-stand.js'

export const startupCapabilities = {
  signIn: {
    ...calls('getUsersOnDisk startLoginToRemoteStorage'), useExistingStorage: jsonProgress,
    completeLoginAndLocalSetup: jsonProgress, watchBoot: jsonObservable,
  },
  signUp: {
    ...calls('setSignUpServer getAvailableDomains getAvailableAddresses addUser isActivated'), createUserParams: jsonProgress,
    watchBoot: jsonObservable,
  },
  provider: calls('openInExternal openSiteInChildWindow closeSite getSignupToken'),
  ...calls('enableAutoLogin scanUrlQR'),
  get testStand() { return testStand() },
}
