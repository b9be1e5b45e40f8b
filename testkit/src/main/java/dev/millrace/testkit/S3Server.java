package dev.millrace.testkit;

import java.net.URI;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.TransientApiMetadata;

/** A real S3 server in this process, with what it stores in memory. */
public final class S3Server implements AutoCloseable {
    public static final String ACCESS_KEY = "test-access-key";
    public static final String SECRET_KEY = "test-secret-key";

    private final BlobStoreContext blobs;
    private final S3Proxy proxy;

    private S3Server(BlobStoreContext blobs, S3Proxy proxy) {
        this.blobs = blobs;
        this.proxy = proxy;
    }

    /** Starts one on a free port. */
    public static S3Server start() throws Exception {
        BlobStoreContext blobs =
                ContextBuilder.newBuilder(new TransientApiMetadata())
                        .credentials("identity", "credential")
                        .buildView(BlobStoreContext.class);
        S3Proxy proxy =
                S3Proxy.builder()
                        .blobStore(blobs.getBlobStore())
                        .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .build();
        proxy.start();
        while (!proxy.getState().equals("STARTED")) {
            Thread.sleep(5);
        }
        return new S3Server(blobs, proxy);
    }

    /** As an {@code endpoint} is written. */
    public String endpoint() {
        return "127.0.0.1:" + proxy.getPort();
    }

    /** Makes a bucket. */
    public void makeBucket(String name) {
        blobs.getBlobStore().createContainerInLocation(null, name);
    }

    /** Whether an object is there. */
    public void put(String bucket, String key, String text) {
        var store = blobs.getBlobStore();
        store.putBlob(bucket, store.blobBuilder(key).payload(text).build());
    }

    public boolean has(String bucket, String key) {
        return blobs.getBlobStore().blobExists(bucket, key);
    }

    @Override
    public void close() throws Exception {
        proxy.stop();
        blobs.close();
    }
}
