package dev.millrace.expressions.sprig;

import java.util.Map;

/** Semantic versions. */
final class VersionFunctions {

    private VersionFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("semver", a -> SemanticVersion.of(a.text(0)));
        table.put(
                "semverCompare",
                a -> VersionConstraint.of(a.text(0)).accepts(SemanticVersion.of(a.text(1))));
    }
}
