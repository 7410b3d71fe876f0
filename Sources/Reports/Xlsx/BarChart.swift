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

/// A chart of lines through the figures of rows, from 0 up. All places count from 0.
struct LineChart {
    /// The rows that have a point, below a row with the lines' titles. Their names are in the first column.
    var rows: ClosedRange<Int>
    var lines: [(column: Int, color: UInt32, isDashed: Bool)]
    /// Of the figures, as Excel writes it.
    var format: String
    var title: String
    /// Of the top left corner.
    var row: Int
    var column: Int
    /// In pixels.
    var size: (width: Double, height: Double)
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
        chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_NONE.rawValue))
        // In libxlsxwriter, the Y axis of a bar chart is the one with the names. Excel draws it from the bottom up.
        chart_axis_set_reverse(chart_axis_get(chart, LXW_CHART_AXIS_TYPE_Y))
        let axis = chart_axis_get(chart, LXW_CHART_AXIS_TYPE_X)
        chart_axis_off(axis)
        chart_axis_major_gridlines_set_visible(axis, 0)
        chart_set_series_gap(chart, 40)
        place(chart, title: bars.title, row: bars.row, column: bars.column, size: bars.size)
    }

    mutating func add(_ lines: LineChart) {
        guard let chart = workbook_add_chart(workbook, UInt8(LXW_CHART_LINE.rawValue)) else {
            return check(LXW_ERROR_MEMORY_MALLOC_FAILED, "adding a chart")
        }
        let (first, last) = (UInt32(lines.rows.lowerBound), UInt32(lines.rows.upperBound))
        for line in lines.lines {
            guard let series = chart_add_series(chart, nil, nil) else {
                return check(LXW_ERROR_MEMORY_MALLOC_FAILED, "adding a line")
            }
            chart_series_set_name_range(series, name, first - 1, UInt16(line.column))
            chart_series_set_categories(series, name, first, 0, last, 0)
            chart_series_set_values(series, name, first, UInt16(line.column), last, UInt16(line.column))
            var style = lxw_chart_line()
            style.color = line.color
            style.width = 2
            if line.isDashed { style.dash_type = UInt8(LXW_CHART_LINE_DASH_DASH.rawValue) }
            chart_series_set_line(series, &style)
        }
        chart_legend_set_position(chart, UInt8(LXW_CHART_LEGEND_BOTTOM.rawValue))
        let axis = chart_axis_get(chart, LXW_CHART_AXIS_TYPE_Y)
        chart_axis_set_num_format(axis, lines.format)
        chart_axis_set_min(axis, 0)
        let dates = chart_axis_get(chart, LXW_CHART_AXIS_TYPE_X)
        chart_axis_set_interval_unit(dates, UInt16(max(1, lines.rows.count / 6)))
        chart_axis_set_interval_tick(dates, UInt16(max(1, lines.rows.count / 6)))
        place(chart, title: lines.title, row: lines.row, column: lines.column, size: lines.size)
    }

    private mutating func place(
        _ chart: UnsafeMutablePointer<lxw_chart>, title: String, row: Int, column: Int,
        size: (width: Double, height: Double)
    ) {
        chart_title_set_name(chart, cellText(title))
        var font = lxw_chart_font()
        font.size = 12
        font.bold = 1
        chart_title_set_name_font(chart, &font)
        var options = lxw_chart_options()
        options.x_scale = size.width / 480
        options.y_scale = size.height / 288
        check(worksheet_insert_chart_opt(sheet, UInt32(row), UInt16(column), chart, &options), "placing a chart")
    }
}
