package dev.millrace.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the {@link ClusterFixture} as a parameter: one for all tests of the JVM, started when
 * the first asks. Where none is to be had, tests are skipped with the reason.
 */
public final class ClusterExtension implements ExecutionCondition, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(ClusterExtension.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return ClusterFixture.reasonAgainst(System.getenv(), foreign())
                .map(ConditionEvaluationResult::disabled)
                .orElseGet(() -> ConditionEvaluationResult.enabled("there is an API server"));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ClusterFixture.class;
    }

    @Override
    public ClusterFixture resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        ClusterFixture.class,
                        key -> {
                            try {
                                return ClusterFixture.start(System.getenv(), foreign());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        ClusterFixture.class);
    }

    private static boolean foreign() {
        return System.getProperty("cluster") != null;
    }
}
