package dev.millrace.server.endtoend;

import dev.millrace.server.MillraceServer;
import dev.millrace.server.configuration.Configuration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A server in this process.
 *
 * @param webhooks where its webhook sources listen: an address of their own, so that manifests with
 *     fixed ports run as they are beside anything else on this machine
 */
record TestServer(MillraceServer server, ApiClient api, String webhooks) implements AutoCloseable {

    /** Starts one on a data folder. The address is one of loopback, as 127.1.2.3. */
    static TestServer start(Path data, String webhooks) {
        return start(data, webhooks, Map.of());
    }

    static TestServer start(Path data, String webhooks, Map<String, String> settings) {
        MillraceServer server =
                MillraceServer.start(configuration(data, webhooks, settings), _ -> {});
        return new TestServer(server, new ApiClient(server.apiAddress()), webhooks);
    }

    static Configuration configuration(Path data, String webhooks, Map<String, String> settings) {
        Map<String, String> flags = new HashMap<>();
        flags.put("port", "0");
        flags.put("webhookBind", webhooks);
        flags.putAll(settings);
        return Configuration.load(data, null, flags);
    }

    @Override
    public void close() {
        server.close();
    }
}
