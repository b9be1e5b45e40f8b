package dev.millrace.server;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** The rules that hold the modules and the cores together. Each says how to mend a breach. */
@AnalyzeClasses(packages = "dev.millrace", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    /** Decide and evolve live here: what happens, never where it goes. */
    private static final String[] CORES = {
        "dev.millrace.workflowengine.core..",
        "dev.millrace.workflowengine.state..",
        "dev.millrace.workflowengine.view..",
        "dev.millrace.workflowengine.simulation..",
        "dev.millrace.workflowengine.validation..",
        "dev.millrace.workflowengine.submission..",
        "dev.millrace.sensors.filter..",
        "dev.millrace.expressions.."
    };

    /** Cores that share a package with their shell. */
    private static final Set<String> CORE_CLASSES =
            Set.of(
                    "dev.millrace.sensors.joining.JoinMachine",
                    "dev.millrace.sensors.joining.JoinState",
                    "dev.millrace.sensors.joining.JoinEvent",
                    "dev.millrace.sensors.matching.Matcher",
                    "dev.millrace.sensors.matching.MatchIndex",
                    "dev.millrace.triggers.dispatch.TriggerMachine",
                    "dev.millrace.triggers.backoff.RetryPolicy",
                    "dev.millrace.triggers.dispatch.RateSlots",
                    "dev.millrace.eventsources.calendar.CalendarMachine",
                    "dev.millrace.eventsources.calendar.CalendarPlan");

    private static final DescribedPredicate<JavaClass> CORE =
            resideInAnyPackage(CORES)
                    .or(
                            describe(
                                    "a core beside its shell",
                                    (JavaClass c) ->
                                            CORE_CLASSES.stream()
                                                    .anyMatch(
                                                            name ->
                                                                    c.getName().equals(name)
                                                                            || c.getName()
                                                                                    .startsWith(
                                                                                            name
                                                                                                    + "$"))));

    private static final Set<String> CLOCK_READS =
            Set.of(
                    "java.time.Instant.now",
                    "java.time.LocalDate.now",
                    "java.time.LocalDateTime.now",
                    "java.time.ZonedDateTime.now",
                    "java.time.OffsetDateTime.now",
                    "java.time.Clock.systemUTC",
                    "java.time.Clock.systemDefaultZone",
                    "java.time.InstantSource.system",
                    "java.lang.System.currentTimeMillis",
                    "java.lang.System.nanoTime",
                    "java.util.UUID.randomUUID",
                    "java.lang.Math.random");

    @ArchTest
    static void everyCoreNamedHereIsThere(JavaClasses classes) {
        assertThat(classes.stream().map(JavaClass::getName)).containsAll(CORE_CLASSES);
    }

    @ArchTest
    static final ArchRule arrowsBetweenModulesPointOneWay =
            layeredArchitecture()
                    .consideringOnlyDependenciesInLayers()
                    .layer("schemas")
                    .definedBy("dev.millrace.schemas..")
                    .layer("expressions")
                    .definedBy("dev.millrace.expressions..")
                    .layer("log")
                    .definedBy("dev.millrace.log..")
                    .layer("eventsources")
                    .definedBy("dev.millrace.eventsources..")
                    .layer("sensors")
                    .definedBy("dev.millrace.sensors..")
                    .layer("triggers")
                    .definedBy("dev.millrace.triggers..")
                    .layer("workflow-engine")
                    .definedBy("dev.millrace.workflowengine..")
                    .layer("executors")
                    .definedBy("dev.millrace.executors..")
                    .layer("server")
                    .definedBy("dev.millrace.server..")
                    .whereLayer("schemas")
                    .mayNotAccessAnyLayer()
                    .whereLayer("expressions")
                    .mayNotAccessAnyLayer()
                    .whereLayer("log")
                    .mayOnlyAccessLayers("schemas", "expressions")
                    .whereLayer("eventsources")
                    .mayOnlyAccessLayers("schemas", "expressions", "log")
                    .whereLayer("sensors")
                    .mayOnlyAccessLayers("schemas", "expressions", "log")
                    .whereLayer("triggers")
                    .mayOnlyAccessLayers("schemas", "expressions", "log")
                    .whereLayer("workflow-engine")
                    .mayOnlyAccessLayers("schemas", "expressions", "log")
                    .whereLayer("executors")
                    .mayOnlyAccessLayers("schemas", "expressions", "log")
                    .whereLayer("server")
                    .mayNotBeAccessedByAnyLayer()
                    .because(
                            "engines know the log and nothing of each other; what two of them share goes into schemas/"
                                    + " (records) or log/ (ports), and what joins them is wired in server/");

    @ArchTest
    static final ArchRule coresTouchNothingOutside =
            noClasses()
                    .that(CORE)
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                            "java.nio.file..",
                                            "java.net.http..",
                                            "java.sql..",
                                            "org.apache.kafka..",
                                            "java.util.concurrent.locks..")
                                    .or(
                                            describe(
                                                    "threads, sockets, files or a clock's owner",
                                                    (JavaClass c) ->
                                                            Set.of(
                                                                            "java.lang.Thread",
                                                                            "java.lang.ProcessBuilder",
                                                                            "java.net.Socket",
                                                                            "java.net.ServerSocket",
                                                                            "java.io.File",
                                                                            "java.io.FileInputStream",
                                                                            "java.io.FileOutputStream",
                                                                            "java.util.concurrent.ExecutorService",
                                                                            "java.util.concurrent.Executors",
                                                                            "java.util.concurrent.CompletableFuture")
                                                                    .contains(c.getName()))))
                    .because(
                            "a core is a fold that can be replayed: do the I/O in the shell and pass in what it found");

    @ArchTest
    static final ArchRule coresReadNoClock =
            noClasses()
                    .that(CORE)
                    .should()
                    .accessTargetWhere(
                            describe(
                                    "reads a clock or makes something random",
                                    (JavaAccess<?> access) ->
                                            !isDefaultOfExpressions(access)
                                                    && CLOCK_READS.contains(
                                                            access.getTarget().getOwner().getName()
                                                                    + "."
                                                                    + access.getTarget()
                                                                            .getName())))
                    .because(
                            "time and ids come in as arguments; take them from the input's 'now' or its ids");

    /**
     * The language's {@code now()} and the source it takes where its caller gives none; cores give
     * one.
     */
    private static boolean isDefaultOfExpressions(JavaAccess<?> access) {
        return Set.of(
                        "dev.millrace.expressions.expr.ExprOptions",
                        "dev.millrace.expressions.expr.TimeBuiltins")
                .contains(access.getOriginOwner().getName());
    }

    @ArchTest
    static final ArchRule patternsOfUsersAreBounded =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.millrace.expressions.regex..")
                    .should()
                    .callMethod(com.google.re2j.Pattern.class, "compile", String.class)
                    .because("GoRegex.compile bounds what a pattern may repeat");

    @ArchTest
    static final ArchRule jacksonTwoStaysInAdapters =
            noClasses()
                    .that()
                    .resideOutsideOfPackages("dev.millrace.expressions.jq..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "com.fasterxml.jackson.core..", "com.fasterxml.jackson.databind..")
                    .because(
                            "our JSON is Jackson 3 (tools.jackson); use dev.millrace.schemas.Json");
}
