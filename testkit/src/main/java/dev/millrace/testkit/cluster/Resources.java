package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceFieldSelector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/** Requests and limits of a container as the downward API gives them. */
final class Resources {
    private Resources() {}

    /** In units of the divisor, rounded up; 0 where the container says nothing. */
    static String value(Container container, ResourceFieldSelector selector) {
        String[] path = selector.getResource().split("\\.", 2);
        var resources = container.getResources();
        Map<String, Quantity> all =
                resources == null
                        ? Map.of()
                        : path[0].equals("limits")
                                ? resources.getLimits()
                                : resources.getRequests();
        Quantity amount = all == null ? null : all.get(path[1]);
        if (amount == null) {
            return "0";
        }
        BigDecimal divisor = BigDecimal.ONE;
        if (selector.getDivisor() != null) {
            divisor = selector.getDivisor().getNumericalAmount();
        }
        if (divisor.signum() == 0) {
            divisor = BigDecimal.ONE;
        }
        return amount.getNumericalAmount()
                .divide(divisor, 0, RoundingMode.CEILING)
                .toBigInteger()
                .toString();
    }
}
