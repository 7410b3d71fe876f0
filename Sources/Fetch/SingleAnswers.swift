extension FetchTask {
    /// Prints Apple's answers about single ids, for `reconcile ask`: all answers, or none.
    func printAnswers(_ ids: [String]) throws -> ExitCode {
        let client = try AppleClient(apple.key, credential: "apple-key", context)
        let answers = try ids.map {
            AppleAnswer.isTransaction($0) ? try transaction($0, from: client) : try order($0, from: client)
        }
        for answer in answers { try context.output.writeLine(answer.recordText) }
        return .done
    }

    private func transaction(_ id: String, from client: AppleClient) throws -> AppleAnswer {
        for bundle in configuration.bundles {
            guard case .found(let signed, _) = try client.transaction(id, of: bundle, on: configuration.server)
            else { continue }
            return AppleAnswer(
                id: id, isOrder: false, row: JSON.object(["signedTransactionInfo": .text(signed)]).line,
                signed: [signed])
        }
        return AppleAnswer(id: id, isOrder: false, signed: [])
    }

    private func order(_ id: String, from client: AppleClient) throws -> AppleAnswer {
        guard configuration.server == .production else {
            throw Failure(
                .usage, "Apple looks up order ids in production only, and app.environment is Sandbox",
                remedy: "Ask for the transaction id.")
        }
        var last = OrderAnswer(status: 1, signedTransactions: [])
        for bundle in configuration.bundles where last.status != 0 { last = try client.order(id, of: bundle) }
        let response: JSON = .object([
            "status": .number(Int64(last.status)),
            "signedTransactions": .list(last.signedTransactions.map { .text($0) }),
        ])
        return AppleAnswer(
            id: id, isOrder: true, row: JSON.object(["order_id": .text(id), "response": response]).line,
            signed: last.signedTransactions)
    }
}
