/// The style of all pages: light and dark, for desktop, phone and paper.
let pageStyle = String(decoding: PackageResources.page_css.dropLast(), as: UTF8.self)
