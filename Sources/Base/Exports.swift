// Base and Engine speak in values of Domain: whoever imports one of them has these values too.
@_exported public import Domain
