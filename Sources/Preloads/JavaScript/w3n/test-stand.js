// `w3n.testStand`: how apps are tested together.
import {
  common_StringValue, test_stand_ObserveOtherTestProcessRequestBody, test_stand_SendMsgToOtherLocalTestProcessRequestBody,
} from 'messages'
import { json } from './files/shapes.js'
import { calls } from './groups.js'
import { ask, message, some, watch } from './typed.js'

const process = (userNum, appDomain, appComponent) =>
  ({ userNum: some(userNum), appDomain: some(appDomain), appComponent: some(appComponent) })

const observe = watch(test_stand_ObserveOtherTestProcessRequestBody, args => process(...args),
  message(common_StringValue, ({ value }) => JSON.parse(value)))

export const testStand = {
  ...calls('log record exitAll staticTestInfo idOfTestUser focusThisWindow'),
  sendMsgToOtherLocalTestProcess: ask(test_stand_SendMsgToOtherLocalTestProcessRequestBody,
    ([userNum, appDomain, appComponent, msg]) => ({ ...process(userNum, appDomain, appComponent), msgJson: json(msg) })),
  /// Here the observer comes first.
  observeMsgsFromOtherLocalTestProcess: (...made) => {
    const function_ = observe(...made)
    return (observer, ...process) => function_(...process, observer)
  },
}
