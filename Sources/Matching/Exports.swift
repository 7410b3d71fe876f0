// All files of this module speak in values of Domain, and whoever imports it has them too.
@_exported public import Domain
