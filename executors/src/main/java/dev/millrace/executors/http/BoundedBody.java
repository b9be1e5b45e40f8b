package dev.millrace.executors.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer in memory, as long as it is no larger than it may be. */
final class BoundedBody implements BodySubscriber<byte[]> {

    /** The answer is larger than it may be. */
    static final class TooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLargeException() {
            super("the answer is too large");
        }
    }

    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    /**
     * @param limit the most bytes that are taken
     */
    BoundedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            if (whole.isDone()) {
                return;
            }
            if (piece.remaining() > limit - bytes.size()) {
                if (subscription != null) {
                    subscription.cancel();
                }
                whole.completeExceptionally(new TooLargeException());
                return;
            }
            byte[] copy = new byte[piece.remaining()];
            piece.get(copy);
            bytes.writeBytes(copy);
        }
    }

    @Override
    public void onError(Throwable e) {
        whole.completeExceptionally(e);
    }

    @Override
    public void onComplete() {
        whole.complete(bytes.toByteArray());
    }
}
