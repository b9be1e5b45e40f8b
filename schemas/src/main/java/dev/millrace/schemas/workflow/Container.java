package dev.millrace.schemas.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A container of a pod. */
public record Container(
        @Nullable String name,
        @Nullable String image,
        List<String> command,
        List<String> args,
        List<EnvVar> env,
        List<EnvFromSource> envFrom,
        @Nullable String workingDir,
        @Nullable String imagePullPolicy,
        @Nullable JsonNode lifecycle,
        @Nullable JsonNode livenessProbe,
        @Nullable JsonNode ports,
        @Nullable JsonNode readinessProbe,
        @Nullable JsonNode resizePolicy,
        @Nullable JsonNode resources,
        @Nullable String restartPolicy,
        @Nullable JsonNode securityContext,
        @Nullable JsonNode startupProbe,
        @Nullable Boolean stdin,
        @Nullable Boolean stdinOnce,
        @Nullable String terminationMessagePath,
        @Nullable String terminationMessagePolicy,
        @Nullable Boolean tty,
        @Nullable JsonNode volumeDevices,
        @Nullable JsonNode volumeMounts) {

    public Container {
        command = command == null ? List.of() : command;
        args = args == null ? List.of() : args;
        env = env == null ? List.of() : env;
        envFrom = envFrom == null ? List.of() : envFrom;
    }
}
