package dev.millrace.schemas.eventsource;

import dev.millrace.schemas.workflow.Metadata;
import dev.millrace.schemas.workflow.Scalar;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Service in front of a source that listens. */
public record ServiceSpec(
        List<Port> ports, @Nullable String clusterIP, @Nullable Metadata metadata) {
    public ServiceSpec {
        ports = ports == null ? List.of() : ports;
    }

    /** A port of the Service. */
    public record Port(
            @Nullable String name,
            @Nullable String protocol,
            @Nullable String appProtocol,
            Integer port,
            @Nullable Scalar targetPort,
            @Nullable Integer nodePort) {}
}
