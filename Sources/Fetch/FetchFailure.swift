internal import Base
public import Console
internal import Intake

extension Failure {
    public init(fetching error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as AppleError: self.init(.unavailable, error.message, remedy: error.remedy)
        case let error as Interrupted:
            self.init(error)
            remedy = "Whole files are kept; the next run goes on."
        default:
            self.init(
                .internalError, "internal error: \(display(String(describing: error)))",
                remedy: "Please report it with this line.")
        }
    }
}
