package dev.millrace.executors.artifact;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import tools.jackson.databind.JsonNode;

/** How an {@code s3} location is reached: its members turned into a client. */
final class S3Connection {
    private static final String AMAZON = "s3.amazonaws.com";

    private S3Connection() {}

    static S3Client open(JsonNode tree, StoreSecrets secrets) throws ArtifactException {
        StoreSecrets.refuse(tree, "s3", "roleARN", "caSecret");
        StoreSecrets.refuse(
                tree.path("encryptionOptions"),
                "s3.encryptionOptions",
                "serverSideCustomerKeySecret",
                "kmsEncryptionContext");
        String region = tree.path("region").asString("");
        var client =
                S3Client.builder()
                        .httpClientBuilder(
                                UrlConnectionHttpClient.builder()
                                        .connectionTimeout(Duration.ofSeconds(10))
                                        .socketTimeout(Duration.ofSeconds(60)))
                        .credentialsProvider(credentials(tree, secrets))
                        .region(Region.of(region.isEmpty() ? "us-east-1" : region))
                        .forcePathStyle(pathStyle(tree))
                        .serviceConfiguration(c -> c.expectContinueEnabled(false))
                        // Other servers than Amazon's refuse the newer checksums.
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                        // Retries are ours, for all stores alike.
                        .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.doNotRetry()));
        if (!amazon(tree)) {
            client.endpointOverride(endpoint(tree));
        }
        return client.build();
    }

    /** The address as people write it; empty for Amazon's own. */
    static String endpointText(JsonNode tree) {
        return tree.path("endpoint").asString("");
    }

    private static boolean amazon(JsonNode tree) {
        String endpoint = endpointText(tree);
        return endpoint.isEmpty() || endpoint.equals(AMAZON);
    }

    private static URI endpoint(JsonNode tree) throws ArtifactException {
        String endpoint = endpointText(tree);
        boolean insecure = tree.path("insecure").asBoolean(false);
        String whole =
                endpoint.contains("://")
                        ? endpoint
                        : (insecure ? "http://" : "https://") + endpoint;
        try {
            return URI.create(whole);
        } catch (IllegalArgumentException e) {
            throw new ArtifactException(
                    "s3.endpoint '%s' is no address; write host:port".formatted(endpoint), e);
        }
    }

    private static boolean pathStyle(JsonNode tree) throws ArtifactException {
        String style = tree.path("addressingStyle").asString("");
        return switch (style) {
            // A name of our own before it would need DNS for every bucket.
            case "", "auto-detect" -> !amazon(tree);
            case "path" -> true;
            case "virtual-hosted" -> false;
            default ->
                    throw new ArtifactException(
                            "s3.addressingStyle is '%s'; there are path, virtual-hosted and auto-detect"
                                    .formatted(style));
        };
    }

    private static AwsCredentialsProvider credentials(JsonNode tree, StoreSecrets secrets)
            throws ArtifactException {
        Optional<String> access = secrets.value(tree, "accessKeySecret");
        Optional<String> secret = secrets.value(tree, "secretKeySecret");
        if (access.isPresent() && secret.isPresent()) {
            Optional<String> session = secrets.value(tree, "sessionTokenSecret");
            AwsCredentials keys =
                    session.isPresent()
                            ? AwsSessionCredentials.create(
                                    access.get(), secret.get(), session.get())
                            : AwsBasicCredentials.create(access.get(), secret.get());
            return StaticCredentialsProvider.create(keys);
        }
        if (access.isPresent() || secret.isPresent()) {
            throw new ArtifactException(
                    "s3.%s is missing; accessKeySecret and secretKeySecret belong together"
                            .formatted(access.isPresent() ? "secretKeySecret" : "accessKeySecret"));
        }
        return DefaultCredentialsProvider.builder().build();
    }
}
