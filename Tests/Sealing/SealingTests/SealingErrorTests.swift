import Sealing
import Testing

@Test(arguments: SealingError.Code.allCases)
func anErrorNamesItsCode(code: SealingError.Code) {
    #expect("\(SealingError(code, "Why."))" == "\(code.rawValue): Why.")
}
