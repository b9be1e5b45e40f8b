package dev.millrace.executors.artifact;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import tools.jackson.databind.JsonNode;

/** A bucket of an S3 server. A folder is what the keys below a prefix have in common. */
final class S3ArtifactStore implements ArtifactStore {
    /** From this size on a file goes up in parts, each of which can be tried again. */
    private static final long MULTIPART = 32L << 20;

    private static final long PART = 16L << 20;

    /** S3 takes at most 10,000 parts. */
    private static final long MOST_PARTS = 9_000;

    private final S3Client client;
    private final String bucket;
    private final JsonNode tree;
    private final long multipart;
    private final long part;

    S3ArtifactStore(S3Client client, String bucket, JsonNode tree) {
        this(client, bucket, tree, MULTIPART, PART);
    }

    /**
     * With other sizes, for tests.
     *
     * @param multipart bytes from which on a file goes up in parts
     * @param part bytes of a part, at least 5 MiB for most servers
     */
    S3ArtifactStore(S3Client client, String bucket, JsonNode tree, long multipart, long part) {
        this.client = client;
        this.bucket = bucket;
        this.tree = tree;
        this.multipart = multipart;
        this.part = part;
    }

    @Override
    public String place(String key) {
        String endpoint = S3Connection.endpointText(tree);
        return "key %s of S3 bucket %s%s"
                .formatted(key, bucket, endpoint.isEmpty() ? "" : " at " + endpoint);
    }

    @Override
    public Content look(String key) throws ArtifactException {
        return retried(
                key,
                Cancellation.NONE,
                () -> {
                    if (!key.endsWith("/") && isFile(key)) {
                        return Content.FILE;
                    }
                    var below =
                            client.listObjectsV2(
                                    r -> r.bucket(bucket).prefix(Keys.folder(key)).maxKeys(1));
                    return below.contents().isEmpty() ? Content.NOTHING : Content.FOLDER;
                });
    }

    private boolean isFile(String key) {
        try {
            client.headObject(r -> r.bucket(bucket).key(key));
            return true;
        } catch (S3Exception e) {
            // HEAD has no body that would tell a missing bucket; the listing after it does.
            if (e.statusCode() == 404) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public InputStream open(String key) throws ArtifactException {
        try {
            return new Aborting(client.getObject(r -> r.bucket(bucket).key(key)));
        } catch (SdkException e) {
            throw told(key, e);
        }
    }

    /** Closed early, it drops the connection rather than read the rest of a large object. */
    private static final class Aborting extends FilterInputStream {
        private final ResponseInputStream<?> response;
        private boolean ended;

        Aborting(ResponseInputStream<?> response) {
            super(response);
            this.response = response;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            ended |= read < 0;
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = super.read(bytes, offset, length);
            ended |= read < 0;
            return read;
        }

        @Override
        public void close() throws IOException {
            if (!ended) {
                response.abort();
            }
            super.close();
        }
    }

    @Override
    public List<String> list(String key, int most) throws ArtifactException {
        String prefix = Keys.folder(key);
        return retried(
                key,
                Cancellation.NONE,
                () ->
                        client
                                .listObjectsV2Paginator(r -> r.bucket(bucket).prefix(prefix))
                                .contents()
                                .stream()
                                .map(S3Object::key)
                                // Some tools keep an empty object for a folder.
                                .filter(k -> !k.endsWith("/"))
                                .map(k -> k.substring(prefix.length()))
                                .limit(most)
                                .sorted()
                                .toList());
    }

    @Override
    public void write(String key, Path file, Cancellation cancellation) throws ArtifactException {
        createBucketIfWanted(cancellation);
        long size;
        try {
            size = Files.size(file);
        } catch (IOException e) {
            throw new ArtifactException("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (size >= multipart) {
            writeInParts(key, file, size, cancellation);
            return;
        }
        retried(
                key,
                cancellation,
                () ->
                        client.putObject(
                                r -> {
                                    r.bucket(bucket).key(key);
                                    ServerSideEncryption encryption = encryption();
                                    if (encryption != null) {
                                        r.serverSideEncryption(encryption).ssekmsKeyId(kmsKey());
                                    }
                                },
                                RequestBody.fromFile(file)));
    }

    private void writeInParts(String key, Path file, long size, Cancellation cancellation)
            throws ArtifactException {
        long length = Math.max(part, size / MOST_PARTS + 1);
        String upload =
                retried(
                        key,
                        cancellation,
                        () ->
                                client.createMultipartUpload(
                                                r -> {
                                                    r.bucket(bucket).key(key);
                                                    ServerSideEncryption encryption = encryption();
                                                    if (encryption != null) {
                                                        r.serverSideEncryption(encryption)
                                                                .ssekmsKeyId(kmsKey());
                                                    }
                                                })
                                        .uploadId());
        try {
            List<CompletedPart> parts = new ArrayList<>();
            for (long at = 0; at < size; at += length) {
                long from = at;
                long bytes = Math.min(length, size - at);
                int number = parts.size() + 1;
                RequestBody body =
                        RequestBody.fromContentProvider(
                                () -> section(file, from, bytes),
                                bytes,
                                "application/octet-stream");
                String tag =
                        retried(
                                key,
                                cancellation,
                                () ->
                                        client.uploadPart(
                                                        r ->
                                                                r.bucket(bucket)
                                                                        .key(key)
                                                                        .uploadId(upload)
                                                                        .partNumber(number),
                                                        body)
                                                .eTag());
                parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
            }
            retried(
                    key,
                    cancellation,
                    () ->
                            client.completeMultipartUpload(
                                    r ->
                                            r.bucket(bucket)
                                                    .key(key)
                                                    .uploadId(upload)
                                                    .multipartUpload(m -> m.parts(parts))));
        } catch (ArtifactException | RuntimeException e) {
            abort(key, upload, e);
            throw e;
        }
    }

    /** The parts of an upload that is not completed would be stored, and paid for, for ever. */
    private void abort(String key, String upload, Exception cause) {
        try {
            client.abortMultipartUpload(r -> r.bucket(bucket).key(key).uploadId(upload));
        } catch (SdkException e) {
            cause.addSuppressed(e);
        }
    }

    private static InputStream section(Path file, long from, long bytes) {
        try {
            InputStream in = Files.newInputStream(file);
            in.skipNBytes(from);
            return new FileSection(in, bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("cannot read " + file, e);
        }
    }

    private @Nullable ServerSideEncryption encryption() {
        JsonNode options = tree.path("encryptionOptions");
        if (!options.path("enableEncryption").asBoolean(false)) {
            return null;
        }
        return kmsKey() == null ? ServerSideEncryption.AES256 : ServerSideEncryption.AWS_KMS;
    }

    private @Nullable String kmsKey() {
        String key = tree.path("encryptionOptions").path("kmsKeyId").asString("");
        return key.isEmpty() ? null : key;
    }

    private void createBucketIfWanted(Cancellation cancellation) throws ArtifactException {
        if (!tree.hasNonNull("createBucketIfNotPresent")) {
            return;
        }
        retried(
                "",
                cancellation,
                () -> {
                    try {
                        client.headBucket(r -> r.bucket(bucket));
                    } catch (S3Exception e) {
                        if (e.statusCode() != 404) {
                            throw e;
                        }
                        client.createBucket(r -> r.bucket(bucket));
                    }
                    return bucket;
                });
    }

    @Override
    public void delete(String key) throws ArtifactException {
        retried(
                key,
                Cancellation.NONE,
                () -> {
                    if (!key.endsWith("/")) {
                        client.deleteObject(r -> r.bucket(bucket).key(key));
                    }
                    // One by one: the request for many needs a checksum that not all servers take.
                    client.listObjectsV2Paginator(r -> r.bucket(bucket).prefix(Keys.folder(key)))
                            .contents()
                            .forEach(o -> client.deleteObject(r -> r.bucket(bucket).key(o.key())));
                    return key;
                });
    }

    private <T> T retried(String key, Cancellation cancellation, Supplier<T> call)
            throws ArtifactException {
        try {
            return Retries.DEFAULT.call(
                    cancellation,
                    () -> {
                        try {
                            return call.get();
                        } catch (SdkException e) {
                            throw told(key, e);
                        }
                    });
        } catch (IOException e) {
            throw new ArtifactException(place(key) + ": " + e.getMessage(), e);
        }
    }

    private ArtifactException told(String key, SdkException e) {
        if (e instanceof AbortedException) {
            // The SDK takes the interrupt for itself; whoever interrupted waits for the end.
            Thread.currentThread().interrupt();
            return ArtifactException.passing(place(key) + ": interrupted", e);
        }
        if (e instanceof NoSuchKeyException) {
            return new ArtifactMissingException(place(key));
        }
        if (e instanceof S3Exception answer) {
            return refused(key, answer);
        }
        if (e instanceof SdkClientException
                && String.valueOf(e.getMessage()).contains("credentials")) {
            return new ArtifactException(
                    "%s: there are no credentials; name Secrets with accessKeySecret and secretKeySecret"
                            .formatted(place(key)),
                    e);
        }
        return ArtifactException.passing(
                "%s cannot be reached: %s; look at s3.endpoint and s3.insecure"
                        .formatted(place(key), e.getMessage()),
                e);
    }

    private ArtifactException refused(String key, S3Exception e) {
        String code = e.awsErrorDetails() == null ? "" : e.awsErrorDetails().errorCode();
        int status = e.statusCode();
        if ("NoSuchBucket".equals(code)) {
            return new ArtifactException(
                    "%s: there is no such bucket; make it, or set s3.createBucketIfNotPresent"
                            .formatted(place(key)),
                    e);
        }
        if (status == 401 || status == 403) {
            return new ArtifactException(
                    "%s: access was denied (%s); look at the Secrets of accessKeySecret and secretKeySecret, and at the bucket's policy"
                            .formatted(place(key), code),
                    e);
        }
        if (status == 301) {
            return new ArtifactException(
                    "%s: the bucket is in another region; set s3.region".formatted(place(key)), e);
        }
        String message = "%s: the server answered %d %s".formatted(place(key), status, code);
        return status == 408 || status == 409 || status == 429 || (status >= 500 && status != 501)
                ? ArtifactException.passing(message, e)
                : new ArtifactException(message, e);
    }

    @Override
    public void close() {
        client.close();
    }
}
