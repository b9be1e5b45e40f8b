package dev.millrace.eventsources.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that a request refused before its body was read gets its answer, and that the next
 * request on the connection is not lost: a connection closed over unread bytes is reset, which may
 * take the answer with it, and a sender that was told nothing sends its next request into it.
 *
 * <p>What is left of a body is read and thrown away; of more than {@link #MOST} the rest is not
 * waited for, and the answer says {@code Connection: close}. So it does to a sender that waits for
 * {@code 100 Continue}: it has sent nothing yet, and need not.
 */
public final class UnreadBodies extends Handler.Wrapper {

    /** Bytes that are read for the sake of the answer. */
    static final long MOST = 64L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(UnreadBodies.class);

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Asked asked = new Asked(request);
        return super.handle(asked, new Answer(asked, response), callback);
    }

    /** A servlet's end asks for this before its answer is written, and gives up what is left. */
    private static final class Asked extends Request.Wrapper {

        Asked(Request request) {
            super(request);
        }

        @Override
        public boolean consumeAvailable() {
            return isReadToTheEnd(getWrapped()) && super.consumeAvailable();
        }
    }

    private static final class Answer extends Response.Wrapper {

        Answer(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer bytes, Callback callback) {
            if (!isCommitted() && !getRequest().consumeAvailable()) {
                getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
            }
            super.write(last, bytes, callback);
        }
    }

    private static boolean isReadToTheEnd(Request request) {
        boolean waits =
                request.getHeaders()
                        .contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString());
        if (request.getLength() == 0 || request.getLength() > MOST || waits) {
            return request.consumeAvailable();
        }
        try {
            InputStream body = Content.Source.asInputStream(request);
            long skipped = 0;
            byte[] buffer = new byte[8192];
            int read = 0;
            while (skipped <= MOST && (read = body.read(buffer)) >= 0) {
                skipped += read;
            }
            return read < 0;
        } catch (IOException e) {
            LOG.debug("A sender went away before it had its answer", e);
            return false;
        }
    }
}
