// SwiftPM would embed these files as literals of numbers in Swift. The compiler carried 170 000 of them through all its passes:
// a third of the time that `Reports` took.
#include "CResources.h"

RESOURCE(english_texts) {
    static const char text[] = {
#embed "../../templates/en.json" suffix(, 0)
    };
    return text;
}

RESOURCE(chinese_texts) {
    static const char text[] = {
#embed "../../templates/zh-Hans.json" suffix(, 0)
    };
    return text;
}

RESOURCE(report_layout) {
    static const char text[] = {
#embed "../../templates/layout.json" suffix(, 0)
    };
    return text;
}

RESOURCE(page_style) {
    static const char text[] = {
#embed "page.css" suffix(, 0)
    };
    return text;
}

RESOURCE(search_script) {
    static const char text[] = {
#embed "search.js" suffix(, 0)
    };
    return text;
}

RESOURCE(sample_configuration) {
    static const char text[] = {
#embed "../../examples/reconcile.json" suffix(, 0)
    };
    return text;
}

RESOURCE(demo_configuration) {
    static const char text[] = {
#embed "../../examples/demo/reconcile.json" suffix(, 0)
    };
    return text;
}

RESOURCE(column_names) {
    static const char text[] = {
#embed "names.json" suffix(, 0)
    };
    return text;
}
