// `w3n.testStand`: how apps are tested together.
import { json } from './files/shapes.js'
import { calls, late } from './groups.js'
import { ask, message, some, watch } from './typed.js'

const process = (userNum, appDomain, appComponent) =>
  ({ userNum: some(userNum), appDomain: some(appDomain), appComponent: some(appComponent) })

const observe = watch('test_stand.ObserveOtherTestProcessRequestBody', args => process(...args),
  message('common.StringValue', ({ value }) => JSON.parse(value)))

export const testStand = late(() => ({
  ...calls('log record exitAll staticTestInfo idOfTestUser focusThisWindow'),
  sendMsgToOtherLocalTestProcess: ask('test_stand.SendMsgToOtherLocalTestProcessRequestBody',
    ([userNum, appDomain, appComponent, msg]) => ({ ...process(userNum, appDomain, appComponent), msgJson: json(msg) })),
  /// Here the observer comes first.
  observeMsgsFromOtherLocalTestProcess: (...made) => {
    const function_ = observe(...made)
    return (observer, ...process) => function_(...process, observer)
  },
}))
