/// `reconcile find`: purchases by what a customer without an id knows. See docs/spec/interfaces.md#find.
enum Find {
    static func run(_ invocation: Invocation, _ context: CommandContext) throws -> ExitCode {
        let configuration = try context.configuration(for: invocation)
        let inquiry = try Lookup.inquiry(configuration, now: context.clock())
        var fields = DescriptionFields()
        let date = invocation.value(.date)
        if date != nil, invocation.isSet(.since) || invocation.isSet(.until) {
            throw invocation.usage("find takes either --date or --since and --until")
        }
        fields.from = date ?? invocation.value(.since) ?? ""
        fields.to = date ?? invocation.value(.until) ?? ""
        fields.time = invocation.value(.around) ?? ""
        fields.within = invocation.value(.within) ?? ""
        fields.amount = invocation.value(.amount) ?? ""
        fields.currency = invocation.value(.currency) ?? ""
        fields.product = invocation.value(.product) ?? ""
        fields.storefront = invocation.value(.storefront) ?? ""
        fields.account = invocation.value(.account) ?? ""
        fields.ending = invocation.value(.ends) ?? ""
        let asked: PurchaseDescription
        do { asked = try inquiry.description(fields) } catch {
            let named = [.date: "the date or span", .time: "--around"][error] ?? "--" + error.rawValue
            throw invocation.usage(
                "\(named) cannot be used. A date is 2025-11-18 (a span has at most 31 days), a time 15:57, "
                    + "--within 15 to 1440 minutes, an amount 25.00, a currency CNY")
        }
        if asked.isEmpty { throw invocation.usage("find needs a date, an amount, a product, an account or --ends") }
        var answer = try inquiry.answer(finding: asked, in: "", asker: invocation.value(.asker))
        if invocation.isSet(.mask) { answer = answer.masked }
        try Lookup.show([answer], configuration, invocation, context)
        return answer.isFound ? .done : .no
    }
}
