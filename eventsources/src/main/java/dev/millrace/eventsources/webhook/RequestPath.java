package dev.millrace.eventsources.webhook;

import java.util.ArrayList;
import java.util.List;

/** Paths as Go's routers clean them. */
final class RequestPath {

    private RequestPath() {}

    /** Without empty, {@code .} and {@code ..} segments; a slash at the end stays. */
    static String clean(String path) {
        List<String> kept = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            switch (segment) {
                case "", "." -> {}
                case ".." -> {
                    if (!kept.isEmpty()) {
                        kept.removeLast();
                    }
                }
                default -> kept.add(segment);
            }
        }
        String clean = "/" + String.join("/", kept);
        return path.endsWith("/") && clean.length() > 1 ? clean + "/" : clean;
    }
}
