internal import CXlsx

/// A chart of horizontal bars labelled with their values, in the order of the rows. All places count from 0.
struct BarChart {
    /// Those of the sheet that have a bar.
    var rows: ClosedRange<Int>
    /// The column of the bars' values. Their names are in the first column.
    var values: Int
    var title: String
    /// Of the top left corner.
    var row: Int
    var column: Int
    /// In pixels.
    var size: (width: Double, height: Double)
    /// RGB, `0xF2F2F2`.
    var color: UInt32
}

extension Sheet {
    mutating func add(_ bars: BarChart) {
        guard let chart = workbook_add_chart(workbook, UInt8(LXW_CHART_BAR.rawValue)),
            let series = chart_add_series(chart, nil, nil)
        else { return check(LXW_ERROR_MEMORY_MALLOC_FAILED, "adding a chart") }
        let (first, last) = (UInt32(bars.rows.lowerBound), UInt32(bars.rows.upperBound))
        chart_series_set_categories(series, name, first, 0, last, 0)
        chart_series_set_values(series, name, first, UInt16(bars.values), last, UInt16(bars.values))
        var fill = lxw_chart_fill()
        fill.color = bars.color
        chart_series_set_fill(series, &fill)
        chart_series_set_labels(series)
        chart_title_set_name(chart, cellText(bars.title))
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
        options.x_scale = bars.size.width / 480
        options.y_scale = bars.size.height / 288
        let code = worksheet_insert_chart_opt(sheet, UInt32(bars.row), UInt16(bars.column), chart, &options)
        check(code, "placing a chart")
    }
}
