// All files of this module use these modules, and whoever imports it has them too.
@_exported public import Intake
