/// Figures by date as lines, from 0 at the bottom.
struct LinePlot {
    /// Each with the class that gives it its colour. A date without a figure interrupts the line. The first one is drawn
    /// above the others.
    var lines: [(style: String, points: [(date: BusinessDate, value: Double?)])]
    /// What it shows, for those who do not see it.
    var label: String
    /// From the left edge to the right one, at least two.
    var dates: ClosedRange<BusinessDate>
    /// The figure of the upper edge, above 0.
    var top: Double
    /// The dates that have a mark on the first line.
    var marked: [BusinessDate]

    /// The place of a point in a picture of 1000 by 200.
    fileprivate func place(_ point: (date: BusinessDate, value: Double?)) -> String? {
        point.value.map { value in
            let (day, days) = (point.date.day - dates.lowerBound.day, dates.upperBound.day - dates.lowerBound.day)
            return decimal(Int64(day) * 10_000 / Int64(days), exponent: 1) + " "
                + decimal(whole((1 - value / top) * 2000), exponent: 1)
        }
    }

    fileprivate func path(_ points: [(date: BusinessDate, value: Double?)]) -> String {
        var isDown = false
        return points.map(place).reduce(into: "") { path, place in
            if let place { path += (isDown ? "L" : "M") + place }
            isDown = place != nil
        }
    }
}

extension HTML {
    /// Adds a plot between its scale and its dates.
    mutating func plot(_ plot: LinePlot, scale: (Double) -> String) {
        element("div", [("class", "plot")]) { html in
            html.element("span", scale(plot.top))
            let picture = [
                ("viewBox", "0 0 1000 200"), ("preserveAspectRatio", "none"), ("role", "img"),
                ("aria-label", plot.label),
            ]
            html.element("svg", picture) { html in
                html.path("M0 0H1000M0 100H1000M0 200H1000", class: "axis")
                for line in plot.lines.dropFirst() { html.path(plot.path(line.points), class: line.style + " dashed") }
                let line = plot.lines[0]
                html.path(plot.path(line.points), class: line.style)
                // A line without a length is a dot, round whatever the picture's proportions.
                let marks = line.points.filter { plot.marked.contains($0.date) }.compactMap(plot.place)
                html.path(marks.map { "M" + $0 + "h0" }.joined(), class: line.style + " mark")
            }
            html.element("span", scale(0))
            html.element("span", plot.dates.lowerBound.text)
            html.element("span", plot.dates.upperBound.text)
        }
    }

    private mutating func path(_ data: String, class style: String) {
        if !data.isEmpty { element("path", [("class", style), ("d", data)]) { _ in } }
    }
}
