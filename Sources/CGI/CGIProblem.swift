public enum CGIProblem: Error, Sendable, CaseIterable {
    /// The program was not started by a web server.
    case notCGI
    /// The method is neither GET, HEAD nor POST.
    case method
    /// The length of the body is not a number.
    case length
    /// The body ended before its stated length.
    case cutShort
    /// The body is longer than allowed.
    case tooLong
    case notForm
    /// A page of another site sent the form.
    case otherSite

    public var status: CGIResponse.Status {
        switch self {
        case .notCGI, .length, .cutShort: .badRequest
        case .method: .methodNotAllowed
        case .tooLong: .contentTooLarge
        case .notForm: .unsupportedMediaType
        case .otherSite: .forbidden
        }
    }
}
