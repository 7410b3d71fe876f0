internal import CXlsx

extension Sheet {
    /// Adds a chart of horizontal bars labelled with their values, in the order of the rows.
    ///
    /// - Parameters:
    ///   - rows: of this sheet, with a bar for each, from 0.
    ///   - names: the column of the bars' names, from 0.
    ///   - values: the column of the bars' values, from 0.
    ///   - row: of the chart's top left corner, from 0.
    ///   - column: of the chart's top left corner, from 0.
    ///   - size: in pixels.
    ///   - color: RGB, `0xF2F2F2`.
    public mutating func addBars(
        of rows: ClosedRange<Int>, names: Int, values: Int, title: String, row: Int, column: Int,
        size: (width: Double, height: Double), color: UInt32
    ) {
        guard let chart = workbook_add_chart(workbook, UInt8(LXW_CHART_BAR.rawValue)),
            let bars = chart_add_series(chart, nil, nil)
        else { return check(LXW_ERROR_MEMORY_MALLOC_FAILED, "adding a chart") }
        let first = UInt32(rows.lowerBound)
        let last = UInt32(rows.upperBound)
        chart_series_set_categories(bars, name, first, UInt16(names), last, UInt16(names))
        chart_series_set_values(bars, name, first, UInt16(values), last, UInt16(values))
        var fill = lxw_chart_fill()
        fill.color = color
        chart_series_set_fill(bars, &fill)
        chart_series_set_labels(bars)
        chart_title_set_name(chart, cellText(title))
        var font = lxw_chart_font()
        font.size = 12
        font.bold = 1
        chart_title_set_name_font(chart, &font)
        chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_NONE.rawValue))
        // In libxlsxwriter, the Y axis of a bar chart is the one with the names. Excel draws it from the bottom up.
        chart_axis_set_reverse(chart_axis_get(chart, LXW_CHART_AXIS_TYPE_Y))
        let axis = chart_axis_get(chart, LXW_CHART_AXIS_TYPE_X)
        chart_axis_off(axis)
        chart_axis_major_gridlines_set_visible(axis, 0)
        chart_set_series_gap(chart, 40)
        var options = lxw_chart_options()
        options.x_scale = size.width / 480
        options.y_scale = size.height / 288
        check(worksheet_insert_chart_opt(sheet, UInt32(row), UInt16(column), chart, &options), "placing a chart")
    }
}
